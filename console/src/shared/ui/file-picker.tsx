import { useId } from 'react'
import css from './file-picker.module.css'
import { Row } from './layout/layout.tsx'

interface FilePickerProps {
  /** The purpose of the field, for screen readers. */
  label: string
  /** The label of the button, in the console's language; the browser would use its own language. */
  action: string
  accept: string
  disabled?: boolean
  /** The chosen file's name. */
  chosen?: string | undefined
  onChoose: (file: File) => void
}

/** A native file field in the console's language. */
export function FilePicker({ label, action, accept, disabled, chosen, onChoose }: FilePickerProps) {
  const id = useId()
  return (
    <Row gap={10} shrinks className={css.picker}>
      <input
        id={id}
        type="file"
        className="sr-only"
        aria-label={label}
        accept={accept}
        disabled={disabled}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) onChoose(file)
          // Choosing the same file again counts as well.
          event.target.value = ''
        }}
      />
      <label htmlFor={id} aria-hidden="true" className={css.button}>
        {action}
      </label>
      {chosen && <span className="cut">{chosen}</span>}
    </Row>
  )
}
