import type { access } from '@busbar/contract'
import { useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import css from '../../shared/ui/people/people.module.css'
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
  /** Shown only: the caller may not change it, or it means nothing at present. */
  fixed: boolean
}

/** Watch, or also change. */
export function ModeBit({ grant, actions, fixed }: GrantBitProps) {
  const t = useText().access
  const { limits } = useAdministration()
  const mode: access.VisitMode = grant.limitRead === 1 ? 'ro' : 'rw'
  if (fixed) return <ModeText mode={mode} className={css.indent} />
  return (
    <div className={classes(css.labelled, css.indent)}>
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
    </div>
  )
}

export function ModeText({ mode, className }: { mode: access.VisitMode; className?: string | undefined }) {
  const t = useText().access
  return <span className={classes(css.plain, className)}>{t.modes[mode]}</span>
}

/** Whether alarms of the machine reach this person. */
export function AlarmBit({ grant, actions, fixed }: GrantBitProps) {
  const t = useText().access
  const { limits } = useAdministration()
  const isOff = grant.limitAlarm === 0
  const reason = isOff && limits.alarms ? t.lacks.alarms[limits.alarms] : undefined
  return (
    <div className={classes(css.labelled, css.end)}>
      <span className={css.caption}>{t.columns.alarms}</span>
      {fixed ? (
        <span className={css.plain}>{isOff ? t.no : t.yes}</span>
      ) : (
        <Switch
          label={t.alarmsOf(grant.name)}
          checked={!isOff}
          disabled={reason !== undefined}
          reason={reason}
          onChange={(isOn) => void actions.setAlarms(grant, isOn)}
        />
      )}
    </div>
  )
}
