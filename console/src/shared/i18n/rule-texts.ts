import { type alarmRules, type Lang, platformAlarms } from '@busbar/contract'

/** The occasions for which a rule has a text to begin with. */
export type RuleOccasion =
  | 'above'
  | 'below'
  | 'rises'
  | 'falls'
  | Exclude<alarmRules.RuleKind, 'threshold' | 'rate'>

/** An alarm has its text in both languages, whichever its author reads: both are here. */
export const firstRuleTexts: Readonly<Record<RuleOccasion, Readonly<Record<Lang, string>>>> = {
  above: { cn: '{tag}超过上限 {limit}{unit}', en: '{tag} is above {limit} {unit}' },
  below: { cn: '{tag}低于下限 {limit}{unit}', en: '{tag} is below {limit} {unit}' },
  state: { cn: '{tag}为 {value}', en: '{tag} is {value}' },
  rises: { cn: '{tag}上升过快', en: '{tag} rises too fast' },
  falls: { cn: '{tag}下降过快', en: '{tag} falls too fast' },
  noData: { cn: '{tag}无数据', en: '{tag} has no data' },
  away: platformAlarms.away.text,
  all: { cn: '多个条件同时满足', en: 'Several conditions hold' },
  any: { cn: '其中一个条件满足', en: 'One of the conditions holds' },
}
