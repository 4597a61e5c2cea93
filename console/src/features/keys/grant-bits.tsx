import { access } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { bkeysKey, visitorsKey } from '../../entities/access/access-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Switch } from '../../shared/ui/switch.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { useAdministration } from './administration.ts'

interface Grant {
  readonly userId: number
  readonly name: string
  readonly limitRead: number
  readonly limitAlarm: number
}

interface GrantBitProps {
  grant: Grant
  /** Read-only: the caller may not change it, or it has no effect at present. */
  fixed: boolean
}

/** Watch, or also change. */
export function ModeBit({ grant, fixed }: GrantBitProps) {
  const t = useText().access
  const { machineId, limits, run } = useAdministration()
  const patch = usePatch(grant)
  const mode: access.VisitMode = grant.limitRead === 1 ? 'ro' : 'rw'
  if (fixed) return t.modes[mode]

  const set = (next: access.VisitMode) => () =>
    call(access.setReadOnly, {
      machineID: machineId,
      userID: grant.userId,
      limitRead: next === 'ro' ? 1 : 0,
    })
  const change = (next: access.VisitMode) =>
    run({
      call: set(next),
      expect: () => patch({ mode: next, limitRead: next === 'ro' ? 1 : 0 }),
      done: t.undo.mode[next](grant.name),
      // The undo is left out if the caller may not give the right again.
      ...(next === 'ro' && limits.mode ? {} : { undo: set(mode) }),
    })
  return (
    <ToggleGroup
      size="small"
      label={t.modeOf(grant.name)}
      value={mode}
      onChange={(next) => void change(next)}
      options={[
        { value: 'ro', label: t.modes.ro },
        { value: 'rw', label: t.modes.rw, disabled: limits.mode !== undefined },
      ]}
    />
  )
}

/** Whether alarms of the machine reach this person. */
export function AlarmBit({ grant, fixed }: GrantBitProps) {
  const t = useText().access
  const { machineId, limits, run } = useAdministration()
  const patch = usePatch(grant)
  const isOff = grant.limitAlarm === 0
  const reason = isOff && limits.alarms ? t.lacks.alarms[limits.alarms] : undefined
  if (fixed) return isOff ? t.no : t.yes

  const set = (limitAlarm: 0 | 1) => () =>
    call(access.setAlarmBit, { machineID: machineId, userID: grant.userId, limitAlarm })
  const change = (isOn: boolean) =>
    run({
      call: set(isOn ? 1 : 0),
      expect: () => patch({ limitAlarm: isOn ? 1 : 0 }),
      done: (isOn ? t.undo.alarms.on : t.undo.alarms.off)(grant.name),
      ...(!isOn && limits.alarms ? {} : { undo: set(isOn ? 0 : 1) }),
    })
  return (
    <Switch
      label={t.alarmsOf(grant.name)}
      checked={!isOff}
      disabled={reason !== undefined}
      reason={reason}
      onChange={(isOn) => void change(isOn)}
    />
  )
}

/** Shows a bit of a person in its new state. */
function usePatch({ userId }: Grant) {
  const { machineId } = useAdministration()
  const client = useQueryClient()
  return (change: Partial<Grant & Pick<access.Visitor, 'mode'>>) => {
    for (const queryKey of [visitorsKey(machineId), bkeysKey(machineId)])
      client.setQueryData<readonly Grant[]>(queryKey, (list) =>
        list?.map((grant) => (grant.userId === userId ? { ...grant, ...change } : grant)),
      )
  }
}
