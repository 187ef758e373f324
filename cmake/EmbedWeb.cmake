# vmafbatch_embed_web(): makes "report/web_assets_data.h" from src/report/web/ and from the installed libjs-dygraphs. src/report/web_assets.h
# says what is in it.
#
# The JavaScript modules import from each other, so each can be read and tested by itself; a page that is opened from disk cannot load
# modules. So they become one script, in the order of VMAFBATCH_WEB_MODULES (a module comes after those it imports from): each is a function
# that is called once and gives its exports, and an import takes names out of what an earlier one gave. Understood are
# `import {a, b} from './module.js';` and `export` before function, async function, class and const.
set(VMAFBATCH_WEB_MODULES dom format links documents curve sparkline graphs chart features table
  summary catalogue worst clip ladders comparison console app)

find_path(VMAFBATCH_DYGRAPHS_DIR dygraph.min.js PATHS /usr/share/javascript/dygraphs NO_DEFAULT_PATH
  DOC "The folder of dygraph.min.js and dygraph.min.css")
if(NOT VMAFBATCH_DYGRAPHS_DIR)
  message(FATAL_ERROR "dygraphs was not found, which draws the curves of `vmafbatch report`: install the package libjs-dygraphs "
    "(scripts/install-packages.sh does), or set VMAFBATCH_DYGRAPHS_DIR to the folder of dygraph.min.js and dygraph.min.css")
endif()

# vmafbatch_read_web(path variable): reads a file and configures again when it changes.
function(vmafbatch_read_web path variable)
  file(READ ${path} text)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# vmafbatch_web_script(folder variable): the modules as one script.
function(vmafbatch_web_script folder variable)
  set(script "'use strict';\n(() => {\n")
  foreach(module IN LISTS VMAFBATCH_WEB_MODULES)
    vmafbatch_read_web(${folder}/${module}.js text)
    string(REGEX REPLACE "import ({[^}]*}) from './([a-z_]+)\\.js';" "const \\1 = module_\\2;" text "\n${text}")
    string(REGEX MATCHALL "\nexport (async function|function|class|const) [A-Za-z_]+" exports "${text}")
    list(TRANSFORM exports REPLACE "^.* " "")
    list(JOIN exports ", " exports)
    string(REPLACE "\nexport " "\n" text "${text}")
    string(APPEND script "const module_${module} = (() => {${text}return {${exports}};\n})();\n\n")
  endforeach()
  string(APPEND script "})();\n")
  set(${variable} "${script}" PARENT_SCOPE)
endfunction()

# vmafbatch_csp_hash(text variable): the text's SHA-256 as a Content-Security-Policy names it, 'sha256-' and base64.
function(vmafbatch_csp_hash text variable)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(SHA256 hex "${text}")
  set(base64 "")
  foreach(group RANGE 0 10)  # 32 bytes: ten groups of three, and two bytes that take one padding sign
    math(EXPR start "${group} * 6")
    string(SUBSTRING "${hex}00" ${start} 6 three)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${three} >> ${shift}) & 63")
      string(SUBSTRING ${digits} ${digit} 1 digit)
      string(APPEND base64 ${digit})
    endforeach()
  endforeach()
  string(SUBSTRING ${base64} 0 43 base64)
  set(${variable} "'sha256-${base64}='" PARENT_SCOPE)
endfunction()

function(vmafbatch_embed_web)
  set(folder ${PROJECT_SOURCE_DIR}/src/report/web)
  vmafbatch_read_web(${folder}/index.html index_html)
  vmafbatch_read_web(${folder}/app.css app_css)
  vmafbatch_read_web(${folder}/icon.svg icon_svg)
  vmafbatch_web_script(${folder} app_js)
  vmafbatch_read_web(${VMAFBATCH_DYGRAPHS_DIR}/dygraph.min.css dygraph_css)
  vmafbatch_read_web(${VMAFBATCH_DYGRAPHS_DIR}/dygraph.min.js dygraph_js)
  foreach(library dygraph_css dygraph_js)  # the maps for debuggers are not embedded
    string(REGEX REPLACE "\n//# sourceMappingURL=[^\n]*|/\\*# sourceMappingURL=[^*]*\\*/" "" ${library} "${${library}}")
  endforeach()

  # The page as a file: everything inside it, and a policy that allows these scripts and styles and nothing else.
  vmafbatch_csp_hash("${app_css}" app_css_hash)
  vmafbatch_csp_hash("${dygraph_css}" dygraph_css_hash)
  vmafbatch_csp_hash("${app_js}" app_js_hash)
  vmafbatch_csp_hash("${dygraph_js}" dygraph_js_hash)
  string(CONCAT policy "default-src 'none'; script-src ${dygraph_js_hash} ${app_js_hash}; style-src ${dygraph_css_hash} ${app_css_hash}; "
    "img-src data:; base-uri 'none'; form-action 'none'")
  set(page "${index_html}")
  string(REPLACE "<meta charset=\"utf-8\">"
    "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"${policy}\">" page "${page}")
  string(REPLACE "<link rel=\"icon\" href=\"icon.svg\">\n" "" page "${page}")
  foreach(style dygraph app)
    string(REPLACE "<link rel=\"stylesheet\" href=\"${style}.css\">" "<style>${${style}_css}</style>" page "${page}")
  endforeach()
  foreach(script dygraph app)
    string(REPLACE "<script src=\"${script}.js\"></script>" "<script>${${script}_js}</script>" page "${page}")
  endforeach()
  # split where documents go: <!-- first documents --> and <!-- documents -->
  foreach(mark "<!-- first documents -->\n" "<!-- documents -->\n")
    string(FIND "${page}" "${mark}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "src/report/web/index.html has no line ${mark}")
    endif()
  endforeach()
  string(FIND "${page}" "<!-- first documents -->\n" first)
  string(FIND "${page}" "<!-- documents -->\n" second)
  string(SUBSTRING "${page}" 0 ${first} page_head)
  math(EXPR length "${second} - ${first} - 25")
  math(EXPR first "${first} + 25")
  string(SUBSTRING "${page}" ${first} ${length} page_scripts)
  math(EXPR second "${second} + 19")
  string(SUBSTRING "${page}" ${second} -1 page_tail)

  configure_file(${PROJECT_SOURCE_DIR}/cmake/web_assets_data.h.in ${VMAFBATCH_GENERATED_DIR}/report/web_assets_data.h @ONLY)
endfunction()

vmafbatch_embed_web()
