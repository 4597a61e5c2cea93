import { useText } from '../../shared/i18n/index.ts'
import { Tag } from '../../shared/ui/tag.tsx'
import { type AlarmStage, stageTones } from './alarm.ts'

/** The state of an alarm in words. */
export function StageTag({ stage }: { stage: AlarmStage }) {
  const t = useText().alarms.stages
  return <Tag tone={stageTones[stage]}>{t[stage]}</Tag>
}
