import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import css from './two-factor.module.css'

interface RecoveryCodesProps {
  codes: readonly string[]
  onKept: () => void
}

/** The recovery codes, the only time they are shown: the dialog can only be answered. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const { account, notices } = useText()
  const t = account.twoFactor
  const text = `${codes.join('\n')}\n`

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      showToast(notices.copied)
    } catch {
      // Without https a page cannot use the clipboard.
      showToast(notices.copyFailed, 'failure')
    }
  }

  return (
    <Dialog
      title={t.codesTitle}
      actions={
        <Button kind="primary" onClick={onKept}>
          {t.kept}
        </Button>
      }
    >
      <div className={css.form}>
        <p>{t.codesBody}</p>
        <ul className={css.codes}>
          {codes.map((code) => (
            <li key={code} className="mono">
              {code}
            </li>
          ))}
        </ul>
        <div className={css.ways}>
          <Button icon="copy" onClick={() => void copy()}>
            {t.copy}
          </Button>
          <a download={t.fileName} href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}>
            {t.saveFile}
          </a>
        </div>
      </div>
    </Dialog>
  )
}
