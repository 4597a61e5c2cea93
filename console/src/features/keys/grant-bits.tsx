import type { access } from '@busbar/contract'
import { useText } from '../../shared/i18n/index.ts'
import { Switch } from '../../shared/ui/switch.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { useAdministration } from './administration.ts'
import type { PersonActions } from './use-person-actions.ts'

interface GrantBitProps {
  grant: {
    readonly userId: number
    readonly name: string
    readonly limitRead: number
    readonly limitAlarm: number
  }
  actions: Pick<PersonActions, 'setMode' | 'setAlarms'>
  /** Read-only: the caller may not change it, or it has no effect at present. */
  fixed: boolean
}

/** Watch, or also change. */
export function ModeBit({ grant, actions, fixed }: GrantBitProps) {
  const t = useText().access
  const { limits } = useAdministration()
  const mode: access.VisitMode = grant.limitRead === 1 ? 'ro' : 'rw'
  if (fixed) return t.modes[mode]
  return (
    <ToggleGroup
      size="small"
      label={t.modeOf(grant.name)}
      value={mode}
      onChange={(next) => void actions.setMode(grant, next)}
      options={[
        { value: 'ro', label: t.modes.ro },
        { value: 'rw', label: t.modes.rw, disabled: limits.mode !== undefined },
      ]}
    />
  )
}

/** Whether alarms of the machine reach this person. */
export function AlarmBit({ grant, actions, fixed }: GrantBitProps) {
  const t = useText().access
  const { limits } = useAdministration()
  const isOff = grant.limitAlarm === 0
  const reason = isOff && limits.alarms ? t.lacks.alarms[limits.alarms] : undefined
  if (fixed) return isOff ? t.no : t.yes
  return (
    <Switch
      label={t.alarmsOf(grant.name)}
      checked={!isOff}
      disabled={reason !== undefined}
      reason={reason}
      onChange={(isOn) => void actions.setAlarms(grant, isOn)}
    />
  )
}
