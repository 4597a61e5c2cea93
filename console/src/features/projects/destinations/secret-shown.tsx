import { Button } from '../../../shared/ui/button.tsx'
import { copyText } from '../../../shared/ui/copy-text.ts'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import css from '../../../shared/ui/dialogs/form.module.css'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { useDestinationsText } from './destinations-text.ts'

/** The secret of a destination, once. It can only be answered: a press beside it must not lose it. */
export function SecretShown({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useDestinationsText()
  return (
    <Dialog
      title={t.secretTitle}
      width={520}
      actions={
        <>
          <Button icon="copy" onClick={() => void copyText(secret)}>
            {t.secretCopy}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {t.secretClose}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <Text as="p" pretty>
          {t.secretBody}
        </Text>
        <code className={css.secret}>{secret}</code>
      </div>
    </Dialog>
  )
}
