import { access } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Switch } from '../../shared/ui/switch.tsx'
import { useAdministration } from './administration.ts'
import { AkeyOnly, Setting } from './setting.tsx'

/**
 * Whether the machine can be entered from the cloud at all. Turning it off ends all visits, so it is
 * confirmed first.
 */
export function CloudSetting() {
  const { machineId, machine, isAkey, ask, run } = useAdministration()
  const t = useText().access.settings
  const isOn = machine.cloudService
  const set = (state: boolean) => () => call(access.setCloudService, { machineID: machineId, state })

  function change(next: boolean) {
    if (next) return void run({ call: set(true), done: t.cloudOnDone })
    const { title, body, action, done } = t.cloudDialog
    ask({ title: title(machine.name), body, action, done, call: set(false) })
  }

  return (
    <Setting name={t.cloud} hint={isOn ? t.cloudOn : t.cloudOff} inline={isAkey}>
      {isAkey ? <Switch label={t.cloud} checked={isOn} onChange={change} /> : <AkeyOnly />}
    </Setting>
  )
}
