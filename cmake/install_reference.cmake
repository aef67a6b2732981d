# Run at installation: the manual, compressed, and completions below the folder ${caos_share}, of the program ${caos_file}.
function(write_completion shell file)
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY ${caos_share}/${folder})
  execute_process(COMMAND ${caos_file} completions ${shell} OUTPUT_FILE ${caos_share}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

write_completion(bash bash-completion/completions/caos)
write_completion(zsh zsh/vendor-completions/_caos)
write_completion(fish fish/vendor_completions.d/caos.fish)
file(MAKE_DIRECTORY ${caos_share}/man)
execute_process(COMMAND ${caos_file} man --output ${caos_share}/man/man1 COMMAND_ERROR_IS_FATAL ANY)
file(GLOB pages ${caos_share}/man/man1/caos*.1)
execute_process(COMMAND gzip --force --best --no-name ${pages} COMMAND_ERROR_IS_FATAL ANY)
