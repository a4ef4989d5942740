import { Argument, type Command, type CommandUnknownOpts } from '@commander-js/extra-typings';

/** `teamspaces completion`: a script for the shell, made of the commands as they are. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description(
      'Prints a script with which bash or zsh completes commands and options. It applies to the command\n' +
        'teamspaces; npx has no completion of its own.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh'] as const))
    .addHelpText(
      'after',
      '\nExample:\n  npx teamspaces completion bash > ~/.local/share/bash-completion/completions/teamspaces',
    )
    .action((shell) => console.log(completionScript(program, shell)));
}

/** @param root the program; each of its commands has a line with the words that may follow */
function completionScript(root: CommandUnknownOpts, shell: 'bash' | 'zsh'): string {
  const cases = linesOf(root, '');
  const script = `_teamspaces() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
      ${cases
        .map(({ path }) => path && `"${path}"`)
        .filter(Boolean)
        .join('|')}) command="$command $word" ;;
    esac
  done
  case "$command" in
${cases.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _teamspaces teamspaces`;
  // zsh runs the functions of bash.
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
}

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
