# Run at installation: the manual, compressed, and completions below the folder ${caos_share}, as ${caos_file}
# prints them.
function(print_reference kind folder)
  execute_process(COMMAND ${caos_file} reference ${kind} --out ${caos_share}/${folder} OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

print_reference(man man/man1)
print_reference(bash bash-completion/completions)
print_reference(zsh zsh/vendor-completions)
print_reference(fish fish/vendor_completions.d)
file(GLOB pages ${caos_share}/man/man1/caos*.1)
execute_process(COMMAND gzip --force --best --no-name ${pages} COMMAND_ERROR_IS_FATAL ANY)
