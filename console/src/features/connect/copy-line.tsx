import { IconButton } from '../../shared/ui/button.tsx'
import { copyText } from '../../shared/ui/copy-text.ts'
import { Row } from '../../shared/ui/layout/layout.tsx'
import css from './connect.module.css'

/** A text to take elsewhere, with a button that copies it. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  return (
    <Row surface="well" gap={8} className={css.line}>
      <code className={css.text}>{text}</code>
      <IconButton icon="copy" label={label} onClick={() => void copyText(text)} />
    </Row>
  )
}
