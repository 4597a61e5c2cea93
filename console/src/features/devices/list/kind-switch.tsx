import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../../shared/i18n/index.ts'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import { useDeviceSpace } from '../space.ts'
import css from './kind-switch.module.css'

/**
 * Switches on a phone, whose bar has one entry for devices, between an enterprise's own and those it
 * maintains.
 */
export function KindSwitch() {
  const t = useText().enterprises.devices.kinds
  const space = useDeviceSpace()
  const navigate = useNavigate()
  if (space.kind === 'personal') return null
  const { kind, eid } = space
  return (
    <ToggleGroup
      label={t.label}
      className={css.kinds}
      value={kind}
      onChange={(next) =>
        void navigate({ to: '/device/', search: { type: next === 'owned' ? 1 : 2, eid }, replace: true })
      }
      options={[
        { value: 'owned', label: t.owned },
        { value: 'maintained', label: t.maintained },
      ]}
    />
  )
}
