import { z } from 'zod'
import { alarmContexts } from './alarm-fields.ts'
import { alarmLimits } from './alarm-limits.ts'
import { ruleFields, withCondition } from './alarm-rule-fields.ts'
import { csvWish, eidOrPersonal, id, instant, nothing, paged, shortText } from './fields.ts'
import { limits } from './limits.ts'
import { alarmLevels } from './machines.ts'
import { paging, sortedBy } from './operator-paging.ts'
import { route } from './route.ts'
import { tag } from './telemetry.ts'

export {
  type ActiveHours,
  type AlarmRuleFields,
  activeHours,
  alarmRule,
  type RuleCondition,
  type RuleKind,
  type RuleOp,
  ruleFields,
  ruleKinds,
  ruleOps,
} from './alarm-rule-fields.ts'

const ofKeys = { right: 'bkey+', orMember: 'alarm', machine: 'machineId' } as const

/** The errors of a rule that does not fit its machine. */
const ruleErrors = ['RULES_FULL', 'RULE_TAG_UNKNOWN', 'RULE_TAG_TYPE'] as const

const savedRule = z.object({
  id,
  machineId: id,
  ...ruleFields,
  tag: z
    .string()
    .nullable()
    .describe('The device’s own name of the variable; null: a combination, or `away`'),
  isActive: z.boolean().describe('Its alarm stands'),
  raisedAt: instant.nullable().describe('When the alarm that stands was raised'),
  updatedAt: instant,
})
export type AlarmRule = z.output<typeof savedRule>

export const listAlarmRules = route({
  method: 'GET',
  path: '/api/v1/alarm/rules',
  who: { right: 'holder', orMember: 'alarm', machine: 'machineId' },
  title: { cn: '报警规则列表', en: 'List the alarm rules of a device' },
  request: z.object({ machineId: id }),
  answer: z.array(savedRule),
  errors: [],
})

/** The orders of the rules of all devices. */
export const alarmRuleOrders = ['device', 'level', 'state'] as const
export type AlarmRuleOrder = (typeof alarmRuleOrders)[number]

const ruleOfSpace = savedRule.extend({
  ...alarmContexts,
  tags: z.array(tag).describe('The variables that its condition names, as far as the device has them'),
  mayEdit: z.boolean().describe('The caller can change and delete it'),
})
export type AlarmRuleOfSpace = z.output<typeof ruleOfSpace>

export const listAllAlarmRules = route({
  method: 'GET',
  path: '/api/v1/alarm/rules/all',
  who: 'user',
  load: 'list',
  title: { cn: '全部报警规则', en: 'List the alarm rules of all devices' },
  request: z.object({
    eid: eidOrPersonal.describe('An enterprise of the caller; without it the caller’s own list'),
    ...paging,
    ...sortedBy(alarmRuleOrders),
    level: z.enum(alarmLevels).optional(),
    state: z.enum(['active', 'normal']).optional().describe('active: its alarm stands'),
  }),
  answer: paged(ruleOfSpace).extend({
    isCut: z.boolean().describe('There are more than total: pages end there'),
  }),
  errors: [],
})

export const createAlarmRule = route({
  method: 'POST',
  path: '/api/v1/alarm/rules',
  who: ofKeys,
  title: { cn: '新建报警规则', en: 'Add an alarm rule' },
  request: withCondition(z.object({ machineId: id, ...ruleFields })),
  answer: z.object({ id }),
  errors: ruleErrors,
})

export const updateAlarmRule = route({
  method: 'PUT',
  path: '/api/v1/alarm/rules/:id',
  who: { right: 'bkey+', orMember: 'alarm', rule: 'id' },
  title: { cn: '修改报警规则', en: 'Change an alarm rule' },
  request: withCondition(z.object({ id, ...ruleFields })),
  answer: nothing,
  errors: ['404', ...ruleErrors],
})

export const deleteAlarmRule = route({
  method: 'DELETE',
  path: '/api/v1/alarm/rules/:id',
  who: { right: 'bkey+', orMember: 'alarm', rule: 'id' },
  title: { cn: '删除报警规则', en: 'Delete an alarm rule' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404'],
})

export const tryAlarmRule = route({
  method: 'POST',
  path: '/api/v1/alarm/rules/try',
  who: { ...ofKeys, admitsReadOnly: true },
  load: 'history',
  title: { cn: '试算报警规则', en: 'Try an alarm rule on past values' },
  request: withCondition(z.object({ machineId: id, ...ruleFields })),
  answer: z.object({
    count: z.int().describe('How many alarms it would have raised'),
    spans: z
      .array(z.tuple([instant, instant.nullable()]))
      .describe('[raised, cleared] of the latest, in time order; null: it would stand'),
    from: instant.describe(
      'Tried from here on; later than 30 days ago where the samples begin later, or are very many',
    ),
    to: instant,
    samples: z
      .int()
      .describe(
        'How many samples, or connections of `away`, were judged, late ones as well; 0: nothing is known',
      ),
  }),
  errors: ['RULE_TAG_UNKNOWN', 'RULE_TAG_TYPE'],
})

/** Why a rule was not copied to a machine, or a line of a file was refused. */
export const ruleRefusals = ['noRight', 'full', 'tagUnknown', 'tagType', 'exists', 'line'] as const
export type RuleRefusal = (typeof ruleRefusals)[number]

export const copyAlarmRules = route({
  method: 'POST',
  path: '/api/v1/alarm/rules/copy',
  who: ofKeys,
  title: { cn: '复制报警规则到其他设备', en: 'Copy alarm rules to other devices' },
  request: z.object({
    machineId: id.describe('The device that has the rules'),
    ids: z.array(id).min(1).max(alarmLimits.alarmRulesPerMachine),
    machineIds: z
      .array(id)
      .min(1)
      .max(alarmLimits.alarmRuleCopyMachines)
      .describe('The devices that get them'),
  }),
  answer: z.object({
    created: z.int(),
    refused: z.array(z.object({ machineId: id, id: id.nullable(), reason: z.enum(ruleRefusals) })),
  }),
  errors: [],
})

const templateName = shortText(1, alarmLimits.alarmRuleTemplateNameMax)

const template = z.object({
  id,
  name: templateName,
  machineType: z.string(),
  rules: z.int().describe('How many rules it has'),
  updatedAt: instant,
})
export type AlarmRuleTemplate = z.output<typeof template>

export const listAlarmRuleTemplates = route({
  method: 'GET',
  path: '/api/v1/alarm/rules/templates',
  who: ofKeys,
  title: { cn: '报警规则模板列表', en: 'List the alarm rule templates for a device' },
  request: z.object({ machineId: id.describe('Those of its owner for its type are listed') }),
  answer: z.array(template),
  errors: [],
})

export const saveAlarmRuleTemplate = route({
  method: 'POST',
  path: '/api/v1/alarm/rules/templates',
  who: ofKeys,
  title: { cn: '保存报警规则模板', en: 'Save alarm rules as a template' },
  request: z.object({
    machineId: id,
    name: templateName.describe('A template of this name is replaced'),
    ids: z.array(id).min(1).max(alarmLimits.alarmRulesPerMachine),
  }),
  answer: z.object({ id }),
  errors: ['404', 'RULE_TEMPLATES_FULL', 'STORAGE_FULL'],
})

export const applyAlarmRuleTemplate = route({
  method: 'POST',
  path: '/api/v1/alarm/rules/templates/:id/apply',
  who: ofKeys,
  title: { cn: '应用报警规则模板', en: 'Apply an alarm rule template to a device' },
  request: z.object({ id, machineId: id }),
  answer: z.object({
    created: z.int(),
    refused: z.array(z.object({ place: z.int(), reason: z.enum(ruleRefusals) })),
  }),
  errors: ['404'],
})

export const deleteAlarmRuleTemplate = route({
  method: 'DELETE',
  path: '/api/v1/alarm/rules/templates/:id',
  who: ofKeys,
  title: { cn: '删除报警规则模板', en: 'Delete an alarm rule template' },
  request: z.object({ id, machineId: id }),
  answer: nothing,
  errors: ['404'],
})

export const exportAlarmRules = route({
  method: 'GET',
  path: '/api/v1/alarm/rules/csv',
  who: { right: 'holder', orMember: 'alarm', machine: 'machineId' },
  title: { cn: '导出报警规则', en: 'Export the alarm rules of a device' },
  request: z.object({ machineId: id, ...csvWish }),
  answer: z.object({ csv: z.string().describe('A file for spreadsheets, one line a rule') }),
  errors: [],
})

export const importAlarmRules = route({
  method: 'POST',
  path: '/api/v1/alarm/rules/csv',
  who: ofKeys,
  title: { cn: '导入报警规则', en: 'Import alarm rules to a device' },
  request: z.object({
    machineId: id,
    csv: z.string().max(500_000).describe('A file as the export gives it'),
  }),
  answer: z.object({
    created: z.int(),
    refused: z.array(
      z.object({
        line: z.int(),
        reason: z.enum(ruleRefusals),
        column: z.string().describe('The column that is wrong; empty: the line as a whole'),
      }),
    ),
  }),
  errors: ['RULE_FILE_UNREADABLE', 'RULE_FILE_TOO_LONG', 'TABLE_UNREADABLE'],
  limits: ['imports'],
  load: 'file',
  bodyBytesMax: limits.largeBodyBytesMax,
})
