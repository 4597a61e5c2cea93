import { useText } from '../../../shared/i18n/index.ts'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import css from './network-mark.module.css'
import { signalBars } from './signal.ts'

/** The machine's network connection as reported by the machine; with bars if it reports the signal. */
export function NetworkMark({ attributes }: { attributes: Readonly<Record<string, string>> }) {
  const t = useText().machines
  const { network, signal } = attributes
  const bars = signal === undefined ? null : signalBars(signal)
  if (!network && bars === null) return null
  return (
    <Row as="span" inline oneLine className={css.network}>
      {bars !== null && (
        <svg
          role="img"
          aria-label={`${t.attributes.names.signal} ${signal}`}
          width="14"
          height="11"
          viewBox="0 0 14 11"
        >
          {[0, 1, 2, 3].map((bar) => (
            <rect
              key={bar}
              className={bar < bars ? css.on : css.off}
              x={bar * 3.7}
              y={8 - bar * 2.6}
              width="2.6"
              height={3 + bar * 2.6}
              rx="0.8"
            />
          ))}
        </svg>
      )}
      {network}
    </Row>
  )
}
