import { IconButton } from './button.tsx'
import css from './copy-line.module.css'
import { copyText } from './copy-text.ts'
import { Row } from './layout/layout.tsx'

/** A text to take elsewhere, with a button that copies it. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  return (
    <Row surface="well" gap={8} className={css.line}>
      <code className={css.text}>{text}</code>
      <IconButton icon="copy" label={label} onClick={() => void copyText(text)} />
    </Row>
  )
}
