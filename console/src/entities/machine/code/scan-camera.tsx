import { frameLoop, type QRCamera, QRCanvas, rearCamera } from 'qr/dom.js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { parseLabel } from './parse-label.ts'
import css from './scan.module.css'

type Problem = 'noCamera' | 'denied' | 'insecure' | 'failed'

const problemOfName: Readonly<Record<string, Problem>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'noCamera',
  OverconstrainedError: 'noCamera',
}

/** The camera's picture until it shows a machine code. The camera is released when this leaves the page. */
export function ScanCamera({ onCode, onStop }: { onCode: (code: string) => void; onStop: () => void }) {
  const t = useText().machineEdit.scan
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<Problem>()
  const [isOpen, open] = useState(false)
  const [isOther, setOther] = useState(false)

  const read = useEffectEvent((text: string) => {
    const code = parseLabel(text)
    setOther(code === undefined)
    if (code) onCode(code)
  })

  useEffect(() => {
    const player = video.current
    if (!player) return
    if (!window.isSecureContext) return setProblem('insecure')
    let isGone = false
    let camera: QRCamera | undefined
    let stopFrames: (() => void) | undefined
    const canvas = new QRCanvas({}, { cropToSquare: false })
    void rearCamera(player).then(
      (opened) => {
        if (isGone) return opened.stop()
        camera = opened
        open(true)
        let isReading = false
        stopFrames = frameLoop(async () => {
          if (isReading) return
          isReading = true
          const text = await opened.readFrame(canvas).catch(() => undefined)
          isReading = false
          if (!isGone && typeof text === 'string') read(text)
        }, player)
      },
      (error: unknown) => {
        if (!isGone) setProblem((error instanceof Error && problemOfName[error.name]) || 'failed')
      },
    )
    return () => {
      isGone = true
      stopFrames?.()
      camera?.stop()
    }
  }, [])

  if (problem) {
    return (
      <p className={css.problem} role="alert">
        <Icon name="warning" size={14} />
        {t[problem]}
      </p>
    )
  }
  return (
    <div className={css.camera}>
      <video ref={video} className={css.video} muted playsInline autoPlay />
      <Row padY={6} padX={10} gap={8} justify="between" tone="soft" size={12}>
        <p role="status">{isOther ? t.noCode : isOpen ? t.aim : t.starting}</p>
        <Button size="small" onClick={onStop}>
          {t.stop}
        </Button>
      </Row>
    </div>
  )
}
