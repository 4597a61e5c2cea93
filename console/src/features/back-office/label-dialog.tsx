import type { operator } from '@busbar/contract'
import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import form from './form.module.css'
import { LabelSheet } from './label-sheet.tsx'
import { useOperatorText } from './operator-text.ts'

/** What a machine was just given, told this once. */
export function LabelDialog({ machine, onClose }: { machine: operator.MachineSecrets; onClose: () => void }) {
  const { app } = useText()
  const all = useOperatorText()
  const t = all.label
  const [isPrinting, setPrinting] = useState(false)
  return (
    <Dialog
      title={t.title}
      width={480}
      actions={
        <>
          <Button onClick={() => setPrinting(true)}>{all.importing.print}</Button>
          <Button kind="primary" onClick={onClose}>
            {app.close}
          </Button>
        </>
      }
    >
      <div className={form.form}>
        <p className={form.hint}>{all.importing.once}</p>
        <dl className={form.facts}>
          <dt>{t.code}</dt>
          <dd className="mono">{machine.machineCode}</dd>
          <dt>{t.password}</dt>
          <dd className="mono">{machine.password}</dd>
          <dt>{t.secret}</dt>
          <dd className="mono">{machine.secret}</dd>
        </dl>
      </div>
      {isPrinting && <LabelSheet machines={[machine]} onPrinted={() => setPrinting(false)} />}
    </Dialog>
  )
}
