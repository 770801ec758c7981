import type { FactsBuilder } from '../../syntax/factsBuilder';
import type { SyntaxNode } from '../../syntax/tree';
import { plainString } from './expressions';

const environment = /(^|\.)(os\.(Getenv|LookupEnv)|getenv|env\.Get|Env\(\)\.Get|envOr\w*|[gG]etEnv\w*)$/;
const viper =
  /(^|\.)(viper(\(\))?|v|k|koanf|cfg|config|settings)\.(Get(String|Int|Bool|Duration|StringSlice|Float64)?|IsSet|Bool|String|Int|Strings)$/;
const setDefault = /(^|\.)(viper|v)\.SetDefault$/;
/** `cmd.Flags().StringVarP(&x, "name", "n", default, "text")`, `flag.String("name", default, "text")`. */
const flags = /(^|\.)(flag|pflag|(Persistent|Local)?Flags\(\)|flags|fs|flagSet)\.(\w+?)(VarP|Var|P)?$/;

/** Environment variables, keys and flags that a call reads or declares. */
export function addConfigurationCall(
  builder: FactsBuilder,
  node: SyntaxNode,
  chain: string,
  given: readonly SyntaxNode[],
): void {
  const { tree } = builder;
  const isFlag = flags.exec(chain);
  const at = isFlag?.[5]?.startsWith('Var') ? 1 : 0;
  const key = plainString(tree, given[at]);
  if (key === undefined || !/^[\w.-]{1,80}$/.test(key)) return;
  let otherwise: SyntaxNode | undefined;
  if (setDefault.test(chain)) otherwise = given[1];
  else if (isFlag) {
    if (!/^(String|Int|Bool|Duration|Float|Uint|Get|Lookup|Count)\w*$/.test(isFlag[4]!)) return;
    if (!/^(Get|Lookup|Count)/.test(isFlag[4]!)) otherwise = given[at + (isFlag[5]?.endsWith('P') ? 2 : 1)];
  } else if (!environment.test(chain) && !viper.test(chain)) return;
  builder.configuration(node, key, otherwise);
}
