# Run at installation: the manual, compressed, and completions below the folder ${caos_share}, of the program
# ${caos_file}, by ${caos_tools}/reference.py.
function(write_reference kind folder)
  execute_process(COMMAND ${caos_tools}/reference.py ${kind} --caos ${caos_file} --out ${caos_share}/${folder}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

write_reference(man man/man1)
write_reference(bash bash-completion/completions)
write_reference(zsh zsh/vendor-completions)
write_reference(fish fish/vendor_completions.d)
file(GLOB pages ${caos_share}/man/man1/caos*.1)
execute_process(COMMAND gzip --force --best --no-name ${pages} COMMAND_ERROR_IS_FATAL ANY)
