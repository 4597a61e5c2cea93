import type { LogoutEvent } from '../shared/api/push-messages.ts'
import { useText } from '../shared/i18n/language.ts'
import { goOut } from '../shared/session/session-end.ts'
import { Button } from '../shared/ui/button.tsx'
import { Dialog } from '../shared/ui/dialog.tsx'

/** The platform ended this session from elsewhere: why, from where, and the way back. */
export function SignedOutDialog({ event }: { event: LogoutEvent }) {
  const t = useText().app.signedOut
  const reasons: Readonly<Record<string, string>> = {
    elsewhere: t.elsewhere,
    passwordChanged: t.passwordChanged,
    locked: t.locked,
    leaving: t.leaving,
    signedOut: t.here,
  }
  return (
    <Dialog
      title={t.title}
      width={400}
      actions={
        <Button kind="primary" autoFocus onClick={() => void goOut('/login', true)}>
          {t.again}
        </Button>
      }
    >
      <p>{reasons[event.reason] ?? t.other}</p>
      {event.loginIp && (
        <p className="numbers" style={{ marginTop: 4, color: 'var(--text3)' }}>
          {t.from(event.loginIp)}
        </p>
      )}
    </Dialog>
  )
}
