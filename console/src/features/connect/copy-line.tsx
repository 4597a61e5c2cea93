import { useText } from '../../shared/i18n/index.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { Row } from '../../shared/ui/layout/layout.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import css from './connect.module.css'

/** A text to take elsewhere, with a button that copies it. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  const { notices } = useText()

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
    <Row surface="well" gap={8} className={css.line}>
      <code className={css.text}>{text}</code>
      <IconButton icon="copy" label={label} onClick={() => void copy()} />
    </Row>
  )
}
