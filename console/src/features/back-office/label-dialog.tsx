import type { operator } from '@busbar/contract'
import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import form from './form.module.css'
import { LabelSheet } from './label-sheet.tsx'
import { useOperatorText } from './operator-text.ts'
import { saveSecretsFile } from './save-secrets-file.ts'

interface LabelDialogProps {
  machines: readonly operator.MachineSecrets[]
  onClose: () => void
}

/** The passwords and secrets that machines were just given, shown this once. */
export function LabelDialog({ machines, onClose }: LabelDialogProps) {
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
          <Button icon="download" onClick={() => saveSecretsFile(machines, all.importing.fileColumns)}>
            {all.importing.download}
          </Button>
          <Button onClick={() => setPrinting(true)}>{all.importing.print}</Button>
          <Button kind="primary" onClick={onClose}>
            {app.close}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        <p className={form.hint}>{all.label.once}</p>
        {machines.map((machine) => (
          <dl key={machine.machineCode} className={form.facts}>
            <dt>{t.code}</dt>
            <dd className="mono">{machine.machineCode}</dd>
            <dt>{t.password}</dt>
            <dd className="mono">{machine.password}</dd>
            <dt>{t.secret}</dt>
            <dd className="mono">{machine.secret}</dd>
          </dl>
        ))}
      </Stack>
      {isPrinting && <LabelSheet machines={machines} onPrinted={() => setPrinting(false)} />}
    </Dialog>
  )
}
