import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { copyText } from '../../../shared/ui/copy-text.ts'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { Grid, Row, Stack } from '../../../shared/ui/layout/layout.tsx'
import css from './two-factor.module.css'

interface RecoveryCodesProps {
  codes: readonly string[]
  onKept: () => void
}

/** The recovery codes, the only time they are shown: the dialog can only be answered. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const { account } = useText()
  const t = account.twoFactor
  const text = `${codes.join('\n')}\n`

  return (
    <Dialog
      title={t.codesTitle}
      actions={
        <Button kind="primary" onClick={onKept}>
          {t.kept}
        </Button>
      }
    >
      <Stack gap={14}>
        <p>{t.codesBody}</p>
        <Grid as="ul" surface="well" pad={12} gap="6 16" tone="text" size={12} oneLine className={css.codes}>
          {codes.map((code) => (
            <li key={code} className="mono">
              {code}
            </li>
          ))}
        </Grid>
        <Row gap={16}>
          <Button icon="copy" onClick={() => void copyText(text)}>
            {t.copy}
          </Button>
          <a download={t.fileName} href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}>
            {t.saveFile}
          </a>
        </Row>
      </Stack>
    </Dialog>
  )
}
