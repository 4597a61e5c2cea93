/** Variables under which the platform writes a CPU profile into the folder of `--profile=`; empty without it. */
export function profileEnvironment(): Record<string, string> {
  const folder = process.argv.find((arg) => arg.startsWith('--profile='))?.slice('--profile='.length)
  return folder === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` }
}
