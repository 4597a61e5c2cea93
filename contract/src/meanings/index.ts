import type { Lang, Text } from '../text.ts'
import { agentConfigFields } from './agent-config-fields.ts'
import { alarmContactFields } from './alarm-contact-fields.ts'
import { alarmFields } from './alarm-fields.ts'
import { alarmRuleFields } from './alarm-rule-fields.ts'
import { boardFields } from './board-fields.ts'
import { checkFields } from './check-fields.ts'
import { describedCn } from './described-cn.ts'
import { exportFields } from './export-fields.ts'
import { machineFields } from './machine-fields.ts'
import { notificationFields } from './notification-fields.ts'
import { nouns } from './nouns.ts'
import { onboardingFields } from './onboarding-fields.ts'
import { peopleFields } from './people-fields.ts'
import { placeMeanings } from './place-fields.ts'
import { platformFields } from './platform-fields.ts'
import { projectFields } from './project-fields.ts'
import { reportFields } from './report-fields.ts'
import { simFields } from './sim-fields.ts'
import { siteFields } from './site-fields.ts'
import { smsFields } from './sms-fields.ts'
import { tileFields } from './tile-fields.ts'
import { viewFields } from './view-fields.ts'

/** The place of a field in the API. */
export interface FieldPlace {
  /** Of the call. */
  readonly path: string
  /** The fields it is within, outermost first. */
  readonly parents: readonly string[]
  readonly name: string
  /** The description in its schema; empty without one. */
  readonly described: string
}

const fields: Readonly<Record<string, readonly [cn: string, en: string]>> = {
  ...peopleFields,
  ...machineFields,
  ...platformFields,
  ...alarmContactFields,
  ...alarmFields,
  ...alarmRuleFields,
  ...boardFields,
  ...agentConfigFields,
  ...checkFields,
  ...exportFields,
  ...reportFields,
  ...simFields,
  ...siteFields,
  ...smsFields,
  ...notificationFields,
  ...tileFields,
  ...viewFields,
  ...onboardingFields,
  ...projectFields,
  ...placeMeanings,
}
/** Fields whose schema adds a remark to the meaning; of others the schema's words are the meaning. */
const remarked = new Set([
  'action',
  'actor',
  'applyId',
  'auditState',
  'blacklist',
  'challenge',
  'code',
  'country',
  'deviceId',
  'dialCode',
  'email',
  'email_state',
  'expireIn',
  'hindrances',
  'limitAuthority',
  'mode',
  'online',
  'password',
  'phone',
  'phone_state',
  'place',
  'projectImage',
  'rights',
  'secret',
  'ticket',
  'validTime',
  'visitTime',
])
/** Parts of a path that do not show the subject of a call. */
const silent = /^(?::\w+|\{\w+\}|e?api|v1|list|)$/

/** The meaning of a field in one line; undefined if none is written. */
export function meaningOf(place: FieldPlace, lang: Lang): string | undefined {
  const { described } = place
  const meaning = findMeaning(place)?.[lang]
  const said = lang === 'en' || described === '' ? described : describedCn[described]
  if (said === undefined) return undefined
  if (said === '') return meaning
  if (meaning === undefined || meaning === said || !remarked.has(place.name)) return said
  return lang === 'cn' ? `${meaning}。${said}` : `${meaning}. ${said}`
}

function findMeaning(place: FieldPlace): Text | undefined {
  const { name } = place
  const anchors = anchorsOf(place)
  const key = [...anchors.map((anchor) => `${anchor}.${name}`), name].find((one) => fields[one])
  const [cn, en] = (key === undefined ? undefined : fields[key]) ?? []
  if (cn !== undefined && en !== undefined) return { cn, en }
  const noun = anchors.map((anchor) => nouns[anchor]).find((one) => one !== undefined)
  if (!noun) return undefined
  if (name === 'id') return { cn: `${noun.cn} ID`, en: `The ${noun.en}’s id` }
  if (name === 'name') return { cn: `${noun.cn}名称`, en: `The ${noun.en}’s name` }
  if (name === 'list') return { cn: `本页的${noun.cn}`, en: `The rows of this page: one ${noun.en} each` }
  return undefined
}

/** The fields around it, the call and the parts of its path, the nearest first. */
function anchorsOf({ path, parents, name }: FieldPlace): string[] {
  const parts = path.split('/')
  // A parameter of the path belongs to the part before it: the machine of /machine/:id/reach.
  const place = parents.length === 0 ? parts.indexOf(`:${name}`) : -1
  const near = (place < 0 ? parts : parts.slice(0, place)).reverse()
  return [...parents.toReversed(), path, ...near].filter((part) => !silent.test(part))
}
