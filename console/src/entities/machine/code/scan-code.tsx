import { useId, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Box, Row } from '../../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { parseLabel } from './parse-label.ts'
import css from './scan.module.css'

const ScanCamera = lazyPart(() => import('./scan-camera.tsx').then((module) => module.ScanCamera))

/** Reads the code of a label, by the camera or from a picture, in place of typing nineteen digits. */
export function ScanCode({ onCode }: { onCode: (code: string) => void }) {
  const t = useText().machineEdit.scan
  const inputId = useId()
  const [isScanning, scan] = useState(false)
  const [isReading, setReading] = useState(false)
  const [problem, setProblem] = useState<string>()

  function take(code: string) {
    scan(false)
    setProblem(undefined)
    onCode(code)
  }

  async function readFile(file: File) {
    setReading(true)
    setProblem(undefined)
    scan(false)
    const reading = await import('./read-qr-picture.ts')
      .then(({ readQrPicture }) => readQrPicture(file))
      .catch(() => ({ kind: 'unreadable' }) as const)
    setReading(false)
    if (reading.kind !== 'text') return setProblem(t[reading.kind])
    const code = parseLabel(reading.text)
    if (code) take(code)
    else setProblem(t.noCode)
  }

  return (
    <Box above={8}>
      <Row gap={8} align="stretch" wraps className={css.ways}>
        <Button
          size="small"
          icon="scan"
          aria-expanded={isScanning}
          onClick={() => {
            setProblem(undefined)
            scan(!isScanning)
          }}
        >
          {t.camera}
        </Button>
        <input
          id={inputId}
          type="file"
          accept="image/*"
          className="sr-only"
          aria-label={t.picture}
          disabled={isReading}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) void readFile(file)
            // Choosing the same file again counts as well.
            target.value = ''
          }}
        />
        <label htmlFor={inputId} aria-hidden="true" className={css.picture}>
          <Icon name="image" size={14} />
          {t.picture}
        </label>
      </Row>
      {isScanning && <ScanCamera onCode={take} onStop={() => scan(false)} />}
      {problem && (
        <p className={css.problem} role="alert">
          <Icon name="warning" size={14} />
          {problem}
        </p>
      )}
    </Box>
  )
}
