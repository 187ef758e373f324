#include "model/exponential.h"

#include "model/exponential_math.h"

namespace vmafbatch::model {

double exponential(double x) { return exponential_inline(x); }

}  // namespace vmafbatch::model
