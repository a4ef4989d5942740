import { Argument, type Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { print } from './print.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof SCRIPTS;

/** `teamspaces completion`: a script for the shell, made of the commands as they are. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description(
      'Prints a script with which bash, zsh or fish completes commands and options. It applies to the\n' +
        'command teamspaces; npx has no completion of its own.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS) as Shell[]))
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  npx teamspaces completion bash > ~/.local/share/bash-completion/completions/teamspaces\n' +
        '  npx teamspaces completion fish > ~/.config/fish/completions/teamspaces.fish',
    )
    .action((shell) => print(...SCRIPTS[shell](linesOf(program, '')).split('\n')));
}

/** @param lines one for each command, with the words that may follow it */
function bashScript(lines: readonly Line[]): string {
  return `_teamspaces() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
      ${pathsOf(lines).join('|')}) command="$command $word" ;;
    esac
  done
  case "$command" in
${lines.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _teamspaces teamspaces`;
}

/** zsh runs the functions of bash. */
function zshScript(lines: readonly Line[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(lines)}`;
}

function fishScript(lines: readonly Line[]): string {
  return `function __teamspaces_words
  set -l command ""
  set -l words (commandline -opc)
  for word in $words[2..]
    switch "$command $word"
      case ${pathsOf(lines).join(' ')}
        set command "$command $word"
    end
  end
  switch "$command"
${lines.map(({ path, words }) => `    case "${path}"\n      printf '%s\\n' ${words.join(' ')}`).join('\n')}
  end
end
complete -c teamspaces -a '(__teamspaces_words)'`;
}

/** Every command but the program itself, in quotes. */
const pathsOf = (lines: readonly Line[]): string[] =>
  lines.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);

interface Line {
  /** ` team list`; '' for the program itself. */
  path: string;
  words: string[];
}

function linesOf(command: CommandUnknownOpts, path: string): Line[] {
  const options = command.createHelp().visibleOptions(command);
  const names = options.flatMap(({ long }) => long ?? []);
  const words = [...command.commands.map((child) => child.name()), ...names];
  const below = command.commands.flatMap((child) => linesOf(child, `${path} ${child.name()}`));
  return [{ path, words }, ...below];
}
