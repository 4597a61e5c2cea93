import { Switch } from '../../shared/ui/switch.tsx'
import { useAct } from '../../shared/ui/use-act.ts'
import { useAdministration } from './administration.ts'
import { useMachineProjectsText } from './machine-projects-text.ts'

interface ConsentSwitchProps {
  label: string
  checked: boolean
  /** For people other than the Akey. */
  isLocked: boolean
  save: (isOn: boolean) => Promise<unknown>
}

/** Allows a project one thing, or withdraws that; either is in effect within a second. */
export function ConsentSwitch({ label, checked, isLocked, save }: ConsentSwitchProps) {
  const { refresh } = useAdministration()
  const t = useMachineProjectsText()
  const { mutate, isPending } = useAct({
    call: save,
    done: (isOn: boolean) => (isOn ? t.given : t.taken),
    touched: refresh,
  })
  return (
    <Switch
      label={label}
      checked={checked}
      disabled={isLocked || isPending}
      reason={isLocked ? t.akeyOnly : undefined}
      onChange={mutate}
    />
  )
}
