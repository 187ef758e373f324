# vmafbatch_embed_text(target file symbol): compiles a text file of this project into a target.
#
#   vmafbatch_embed_text(vmafbatch_store src/store/schema.sql vmafbatch::store::kSchemaSql)
#
# gives every source of the target the header "store/schema_sql.h" (the room, then the file's name with its dots as underscores), which
# defines `inline constexpr std::string_view vmafbatch::store::kSchemaSql` with the file's bytes. A change of the file is seen by the
# next build. REQUIRES: the file is under src/ and is UTF-8 text.
function(vmafbatch_embed_text target file symbol)
  file(READ ${PROJECT_SOURCE_DIR}/${file} VMAFBATCH_TEXT)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})

  string(REGEX MATCH "^(.*)::([^:]+)$" matched ${symbol})
  if(NOT matched)
    message(FATAL_ERROR "vmafbatch_embed_text: ${symbol} is no namespace::name; write vmafbatch::room::kName")
  endif()
  set(VMAFBATCH_NAMESPACE ${CMAKE_MATCH_1})
  set(VMAFBATCH_SYMBOL ${CMAKE_MATCH_2})
  set(VMAFBATCH_FILE ${file})

  cmake_path(RELATIVE_PATH file BASE_DIRECTORY src OUTPUT_VARIABLE header)
  string(REPLACE "." "_" header ${header})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded_text.h.in ${VMAFBATCH_GENERATED_DIR}/${header}.h @ONLY)
endfunction()
