import { notifications } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { notificationsKey, type UserMsgConfig } from '../notification-queries.ts'
import { createSpeaker } from '../speaker.ts'

const hasVoice = () => 'speechSynthesis' in window
const permissionOf = () => ('Notification' in window ? Notification.permission : 'missing')

/** Settings of this browser: it speaks critical alarms, and shows notifications if the person allowed them. */
export function BrowserSettings({ config }: { config: UserMsgConfig }) {
  const t = useText().notifications.settings
  const lang = useLang()
  const [permission, setPermission] = useState(permissionOf)
  const { mutate } = useAct({
    call: (change: { voice?: 0 | 1; browser?: 0 | 1 }) => call(notifications.setUserMsgConfig, change),
    done: t.saved,
    touched: [notificationsKey],
  })

  /** Asks for permission only at this press; if the person refuses, it stays off. */
  async function switchBrowser(isOn: boolean) {
    if (isOn && permission === 'default') {
      const answer = await Notification.requestPermission()
      setPermission(answer)
      if (answer !== 'granted') return
    }
    mutate({ browser: isOn ? 1 : 0 })
  }

  const isShown = config.browser === 1 && permission === 'granted'
  const isBlocked = permission === 'denied' || permission === 'missing'
  return (
    <SettingPanel title={t.here}>
      <SettingRow name={t.voice} hint={hasVoice() ? t.voiceHint : t.voiceMissing}>
        {config.voice === 1 && hasVoice() && (
          <Button size="small" onClick={() => createSpeaker(speechSynthesis).say(t.voiceSample, lang)}>
            {t.voiceTry}
          </Button>
        )}
        <Switch
          label={t.voice}
          checked={config.voice === 1}
          disabled={!hasVoice()}
          onChange={(isOn) => mutate({ voice: isOn ? 1 : 0 })}
        />
      </SettingRow>
      <SettingRow
        name={t.browser}
        hint={
          permission === 'missing'
            ? t.browserMissing
            : permission === 'denied'
              ? t.browserDenied
              : t.browserHint
        }
      >
        <Switch
          label={t.browser}
          checked={isShown}
          disabled={isBlocked && !isShown}
          onChange={(isOn) => void switchBrowser(isOn)}
        />
      </SettingRow>
    </SettingPanel>
  )
}
