"""Completions of caos for shells, of what `caos reference` prints; tools/reference.py writes them."""

# `cur` is the word to be completed, and `list` what stands before it up to the last comma, where a comma separates values.
BASH = r"""# Completion of caos for bash: source it, or put it where bash-completion looks.
_caos_words() {
    mapfile -t COMPREPLY < <(compgen -P "$list" -W "$1" -- "$cur")
    [[ ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
}
_caos_list() {
    list=${cur%"${cur##*,}"}
    cur=${cur##*,}
    _caos_words "$1"
}
_caos_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
_caos_folders() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}
_caos() {
    local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} list= command=caos word
    # bash splits --option=value and onnx:file into three words each.
    [[ $cur == [=:] ]] && cur=
    [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$command $word" in
            @COMMANDS@) command="$command $word" ;;
        esac
    done
    COMPREPLY=()
    [[ $previous == : || ${COMP_WORDS[COMP_CWORD]} == : ]] && { _caos_files; return; }
    case "$command $previous" in
@VALUES@    esac
    case "$command" in
@NAMES@    esac
    return 0
}
complete -F _caos caos
"""


def bash_action(option):
    if option.choices:
        return f"{'_caos_list' if option.list else '_caos_words'} '{' '.join(option.choices)}'"
    return {"file": "_caos_files", "folder": "_caos_folders"}.get(option.takes, ":")


def bash_values(command):
    """What follows an option that takes a value. Where none is known, nothing is offered."""
    return "".join(f"        '{command.name} {option.name}') {bash_action(option)}; return ;;\n"
                   for option in command.options if not option.positional and option.takes != "nothing")


def bash_names(command):
    """Commands and options, and files where the command takes some that are not an option's."""
    positional = [option for option in command.options if option.positional]
    words = [below.word for below in command.commands] + (positional[-1].choices if positional else [])
    takes_files = any(option.takes != "text" for option in positional)
    others = "_caos_files" if takes_files else f"_caos_words '{' '.join(words)}'"
    options = " ".join(option.name for option in command.options if not option.positional)
    return (f"        '{command.name}') if [[ $cur == -* ]]; then\n            _caos_words '{options}'\n"
            f"        else {others}; fi ;;\n")


def bash(program):
    commands = program.everything()
    return {"caos": BASH.replace("@COMMANDS@", " | ".join(f"'{command.name}'" for command in commands[1:]))
            .replace("@VALUES@", "".join(map(bash_values, commands)))
            .replace("@NAMES@", "".join(map(bash_names, commands)))}


def zsh_quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_part(text):
    """Text within a specification of _arguments, where these characters separate its parts."""
    return "".join(f"\\{c}" if c in "\\:[]" else c for c in text)


def zsh_value(option):
    """`message:action`; a value that is not known shows its name."""
    words = " ".join(map(zsh_part, option.choices))
    if words:
        action = f"_values -s , value {words}" if option.list else f"({words})"
    else:
        action = {"file": "_files", "folder": "_files -/"}.get(option.takes, "")
    return f"{zsh_part(option.value or option.name)}:{action}"


def zsh_option(option):
    others = ["-", "*"] if option.name in ("--help", "--version") else option.excludes
    excluded = f"({' '.join(others)})" if others else ""
    text = f"[{zsh_part(option.description)}]"
    if option.takes == "nothing":
        return zsh_quoted(f"{excluded}{option.name}{text}")
    return zsh_quoted(f"{excluded}{option.name}={text}:{zsh_value(option)}")


def zsh_lines(command):
    text, position = "", 0
    for option in command.options:
        position += option.positional
        line = zsh_quoted(f"{position}:{zsh_value(option)}") if option.positional else zsh_option(option)
        text += f" \\\n        {line}"
    return text


def zsh_function(command):
    """A group offers its commands as the first word, and hands the rest to the one that was chosen."""
    name, lines = command.joined("_"), zsh_lines(command)
    if not command.commands:
        return f"_{name}() {{\n    _arguments -s{lines}\n}}\n\n"
    described = "".join(f"        {zsh_quoted(below.word + ':' + zsh_part(below.description))}\n"
                        for below in command.commands)
    cases = "".join(f"                {below.word}) _{below.joined('_')} ;;\n" for below in command.commands)
    return (f"_{name}() {{\n    local curcontext=$curcontext state line\n    typeset -A opt_args\n"
            f"    local -a subcommands=(\n{described}    )\n    _arguments -C{lines} \\\n        '1: :->command' '*:: :->rest'\n"
            f"    case $state in\n        command) _describe command subcommands ;;\n        rest)\n"
            f"            case $words[1] in\n{cases}            esac ;;\n    esac\n}}\n\n")


def zsh(program):
    return {"_caos": "#compdef caos\n# Completion of caos for zsh: goes into a folder of $fpath.\n\n"
            + "".join(map(zsh_function, program.everything())) + '_caos "$@"\n'}


# `__caos_at caos landmarks`: whether the words so far name that command, and none below it.
FISH = """# Completion of caos for fish.
set -g __caos_commands @COMMANDS@

function __caos_at
    set -l command caos
    for word in (commandline -opc)[2..-1]
        contains -- "$command $word" $__caos_commands; and set command "$command $word"
    end
    test "$command" = "$argv"
end

complete -c caos -f
"""


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_line(command, what):
    return f"complete -c caos -n {fish_quoted('__caos_at ' + command.name)} {what}\n"


def fish_values(option):
    """What may stand as a value: files, folders, words, or words separated by commas."""
    words = " ".join(option.choices)
    if words and option.list:
        return "-x -a " + fish_quoted(f"(__fish_append , {words})")
    if words:
        return ("-r -F -a " if option.takes == "file" else "-x -a ") + fish_quoted(words)
    return {"file": "-r -F", "folder": "-x -a '(__fish_complete_directories)'"}.get(option.takes, "-x")


def fish_option(command, option):
    if option.positional and option.choices:
        return fish_line(command, f"-a {fish_quoted(' '.join(option.choices))}")
    if option.positional:
        return "" if option.takes == "text" else fish_line(command, "-F")
    values = "" if option.takes == "nothing" else " " + fish_values(option)
    return fish_line(command, f"-l {option.name[2:]}{values} -d {fish_quoted(option.description)}")


def fish(program):
    commands = program.everything()
    text = FISH.replace("@COMMANDS@", " ".join(fish_quoted(command.name) for command in commands))
    for command in commands:
        for below in command.commands:
            text += fish_line(command, f"-a {below.word} -d {fish_quoted(below.description)}")
        text += "".join(fish_option(command, option) for option in command.options)
    return {"caos.fish": text}
