#include "model/fetch.h"

#include <curl/curl.h>

#include <exception>
#include <memory>
#include <utility>

#include "model/model_search.h"
#include "model/sha256.h"

namespace vmafbatch::model {
namespace {

// libcurl's global state, made once and kept until the process ends.
bool start_curl() {
  static const bool started = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return started;
}

struct Transfer {
  const FetchSettings& settings;
  std::string body;
  bool too_large = false;
};

// libcurl's callbacks: exceptions must not pass through it.
std::size_t take_bytes(char* bytes, std::size_t size, std::size_t count, void* user) noexcept {
  Transfer& transfer = *static_cast<Transfer*>(user);
  if (transfer.body.size() + size * count > transfer.settings.max_bytes) {
    transfer.too_large = true;
    return 0;
  }
  try {
    transfer.body.append(bytes, size * count);
  } catch (const std::exception&) {
    return 0;
  }
  return size * count;
}

int report_progress(void* user, curl_off_t total, curl_off_t received, curl_off_t, curl_off_t) noexcept {
  const Transfer& transfer = *static_cast<const Transfer*>(user);
  try {
    if (transfer.settings.progress) {
      transfer.settings.progress(static_cast<std::uint64_t>(received), static_cast<std::uint64_t>(total));
    }
  } catch (const std::exception&) {
    return 1;
  }
  return 0;
}

void set_up(CURL* curl, const std::string& url, Transfer& transfer) {
  const FetchSettings& settings = transfer.settings;
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "vmafbatch");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings.connect_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(settings.total_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(settings.stall_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, report_progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
}

// What went wrong and what to do, for the end of a sentence that starts with the address.
std::string failure_text(CURLcode code, const Transfer& transfer, const char* detail) {
  std::string reason = detail[0] != '\0' ? detail : curl_easy_strerror(code);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
      return "the server cannot be reached (" + reason + "); check the network or a proxy ($https_proxy), or name a mirror with --from URL";
    case CURLE_OPERATION_TIMEDOUT: return "the server is too slow (" + reason + "); try again, or name a mirror with --from URL";
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING: return "the answer was cut off (" + reason + "); try again";
    case CURLE_WRITE_ERROR:
      if (transfer.too_large)
        return "the file has more than " + std::to_string(transfer.settings.max_bytes) + " bytes; it is no VMAF model";
      return "there is not enough memory for it";
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT: return "this is no http or https address (" + reason + ")";
    default: return reason;
  }
}

std::string with_slash(std::string url) {
  if (url.empty() || url.back() != '/') url += '/';
  return url;
}

}  // namespace

Result<std::string> download(const std::string& url, const FetchSettings& settings) {
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(start_curl() ? curl_easy_init() : nullptr, curl_easy_cleanup);
  if (curl == nullptr) return Error{"cannot download " + url + ": libcurl does not start"};
  Transfer transfer{settings, {}};
  char detail[CURL_ERROR_SIZE] = "";
  set_up(curl.get(), url, transfer);
  curl_easy_setopt(curl.get(), CURLOPT_ERRORBUFFER, static_cast<char*>(detail));
  const CURLcode code = curl_easy_perform(curl.get());
  if (code != CURLE_OK) return Error{"cannot download " + url + ": " + failure_text(code, transfer, detail)};
  long answer = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer);
  if (answer == 404) return Error{"cannot download " + url + ": the server has no such file (404); name a mirror with --from URL"};
  if (answer != 200)
    return Error{"cannot download " + url + ": the server answers with code " + std::to_string(answer) + "; try again later"};
  return std::move(transfer.body);
}

Result<std::filesystem::path> fetch_model(const KnownModel& model, const std::filesystem::path& folder, const FetchSettings& settings) {
  const std::string url = with_slash(settings.base_url) + std::string(model.sub_path);
  const Result<std::string> text = download(url, settings);
  if (!text) return text.error();
  const std::string sha256 = sha256_hex(*text);
  if (sha256 != model.sha256) {
    return Error{"the file at " + url + " is not the " + std::string(model.name()) + " that this program knows (SHA-256 " + sha256 +
                 " instead of " + std::string(model.sha256) + "); nothing was installed"};
  }
  return install_model(*text, std::string(model.file_name), folder);
}

bool has_model(const KnownModel& model, const std::filesystem::path& folder) {
  const Result<std::string> text = read_model_text(folder / model.file_name);
  return text.ok() && sha256_hex(*text) == model.sha256;
}

}  // namespace vmafbatch::model
