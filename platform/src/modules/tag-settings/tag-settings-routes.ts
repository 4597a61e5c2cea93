import { tagSettings as contract, csvFormOf } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { callerOf } from '../../kernel/http/caller.ts'
import { formatTags } from './tag-csv.ts'
import { importFile, setReset, type TagSettingsDeps, updateTag } from './tag-settings-service.ts'

/** The calls with which keys describe the tags of their machines. */
export function tagSettingsRoutes(deps: TagSettingsDeps): Binding[] {
  return [
    bind(contract.setTag, async ({ machineId, tagId, ...change }, context) => {
      await updateTag(deps, callerOf(context), machineId, tagId, change)
      return {}
    }),

    bind(contract.setTagReset, async ({ machineId, tagId, at, from, to }, context) => {
      await setReset(deps, callerOf(context), { machineId, tagId }, at, { from, to })
      return {}
    }),

    bind(contract.removeTagReset, async ({ machineId, tagId, at }, context) => {
      await setReset(deps, callerOf(context), { machineId, tagId }, at)
      return {}
    }),

    bind(contract.exportTags, async ({ machineId, ...wish }, { lang }) => ({
      csv: formatTags(await deps.telemetry.listTagStates(machineId), lang, csvFormOf(wish)),
    })),

    bind(contract.importTags, ({ machineId, csv, apply }, context) =>
      importFile(deps, callerOf(context), machineId, csv, apply),
    ),
  ]
}
