import { isTargetName, tunnelTarget } from '@busbar/link'
import { configLimits } from './config.ts'
import type { Fields } from './fields.ts'

/** `name` of a page or port of the machine's network. */
export function parseLocalName(fields: Fields): string {
  const name = fields.requiredText('name', configLimits.nameCharactersMax)
  if (name === tunnelTarget.page || name === tunnelTarget.agent) {
    fields.problem('name', `cannot be "${name}": that is the agent's own`)
  } else if (name !== '' && !isTargetName(name)) {
    fields.problem('name', 'has to be 1 to 31 of a-z, 0-9 and single hyphens, with none at the ends')
  }
  return name
}
