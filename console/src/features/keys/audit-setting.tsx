import { access, machines } from '@busbar/contract'
import { useId, useState } from 'react'
import { PasswordDialog } from '../../entities/account/password-dialog.tsx'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { useAdministration } from './administration.ts'
import { Locked, Setting } from './setting.tsx'
import css from './settings.module.css'

const { akeyAndBkey, akeyAndPassword } = machines.checkTypes

/**
 * Chooses who approves applications. Approval by password asks for the password first, so that a key cannot
 * open the machine to others without knowing it.
 */
export function AuditSetting() {
  const { machine, limits, run } = useAdministration()
  const { settings: t, lacks } = useText().access
  const name = useId()
  const [isAsking, setAsking] = useState(false)
  const chosen = machine.checkType

  function choose(checkType: number) {
    if (checkType === chosen) return
    if (checkType === akeyAndPassword) return setAsking(true)
    void run({
      call: () => call(access.updateMachineInfo, { machineCode: machine.code, checkType: akeyAndBkey }),
      done: t.auditDone,
    })
  }

  const modes = [
    { value: akeyAndBkey, label: t.auditModes.keys, hint: t.auditModes.keysHint },
    { value: akeyAndPassword, label: t.auditModes.password, hint: t.auditModes.passwordHint },
  ]
  return (
    <Setting name={t.audit} hint={t.auditHint}>
      <fieldset className={css.modes} aria-label={t.audit} disabled={limits.mode !== undefined}>
        {modes.map(({ value, label, hint }) => (
          <label key={value} className={css.mode}>
            <input type="radio" name={name} checked={chosen === value} onChange={() => choose(value)} />
            <span>{label}</span>
            <span className={css.modeHint}>{hint}</span>
          </label>
        ))}
      </fieldset>
      {limits.mode && <Locked>{lacks.settings}</Locked>}
      {isAsking && <AuditDialog onClose={() => setAsking(false)} />}
    </Setting>
  )
}

function AuditDialog({ onClose }: { onClose: () => void }) {
  const { machine, refresh } = useAdministration()
  const { settings } = useText().access
  return (
    <PasswordDialog
      words={settings.auditDialog}
      route={access.updateMachineInfo}
      missing={settings.auditDialog.passwordMissing}
      failed={settings.failed}
      autoComplete="one-time-code"
      send={(password) =>
        call(access.updateMachineInfo, { machineCode: machine.code, checkType: akeyAndPassword, password })
      }
      onSent={() => {
        showToast(settings.auditDone)
        onClose()
        return refresh()
      }}
      onClose={onClose}
    />
  )
}
