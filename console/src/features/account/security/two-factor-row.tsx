import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { TwoFactorOffDialog } from './two-factor-off-dialog.tsx'
import { TwoFactorSetupDialog } from './two-factor-setup-dialog.tsx'

/** Whether two-factor authentication is on, and the button to change that. */
export function TwoFactorRow({ isOn }: { isOn: boolean }) {
  const t = useText().account.twoFactor
  const [opened, setOpened] = useState<'setup' | 'off'>()
  const close = () => setOpened(undefined)
  return (
    <SettingRow name={t.name} hint={t.hint} value={isOn ? t.on : t.off}>
      <Button onClick={() => setOpened(isOn ? 'off' : 'setup')}>
        {isOn ? t.turnOff : t.setUp}
        <span className="sr-only">{t.name}</span>
      </Button>
      {opened === 'setup' && <TwoFactorSetupDialog onClose={close} />}
      {opened === 'off' && <TwoFactorOffDialog onClose={close} />}
    </SettingRow>
  )
}
