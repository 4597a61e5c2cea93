import type { operator } from '@busbar/contract'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useLang } from '../../shared/i18n/index.ts'
import { useBrand } from '../../shared/session/brand.ts'
import { formatQrSquares } from '../../shared/ui/qr/qr-squares.ts'
import css from './label-sheet.module.css'
import { useOperatorText } from './operator-text.ts'

/** Digits of a code in groups that are read out loud. */
const spaced = (code: string) => code.replace(/(\d{4})(?=\d)/g, '$1 ')

interface LabelSheetProps {
  machines: readonly operator.MachineSecrets[]
  /** The print dialog is closed again. */
  onPrinted: () => void
}

/** Prints a label a machine: its code to scan and to read, and the password it is added with. Never its secret. */
export function LabelSheet({ machines, onPrinted }: LabelSheetProps) {
  useEffect(() => {
    window.print()
    onPrinted()
  }, [onPrinted])
  return createPortal(
    <div className={css.sheet}>
      {machines.map((machine) => (
        <Label key={machine.machineCode} machine={machine} />
      ))}
    </div>,
    document.body,
  )
}

function Label({ machine }: { machine: operator.MachineSecrets }) {
  const t = useOperatorText().label
  const lang = useLang()
  const { platformName } = useBrand()
  return (
    <div className={css.label}>
      <QrCode text={machine.machineCode} />
      <dl>
        <dt>{platformName[lang]}</dt>
        <dd className={css.kind}>{[machine.type, machine.model].filter(Boolean).join(' · ')}</dd>
        <dt>{t.code}</dt>
        <dd className="mono">{spaced(machine.machineCode)}</dd>
        <dt>
          {t.password} {t.hint}
        </dt>
        <dd className="mono">{machine.password}</dd>
      </dl>
    </div>
  )
}

/** Squares left white around the code; the label's own margin adds to them. */
const quietSquares = 2

/** A text as a QR code that a camera reads from a label of a few centimetres. */
function QrCode({ text }: { text: string }) {
  const { side, path } = formatQrSquares(text, quietSquares)
  return (
    <svg aria-hidden="true" className={css.code} viewBox={`0 0 ${side} ${side}`}>
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
