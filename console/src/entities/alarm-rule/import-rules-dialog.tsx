import { alarmRules } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { formatTable } from '../../shared/ui/data/csv.ts'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import form from '../../shared/ui/dialogs/form.module.css'
import { Text } from '../../shared/ui/layout/layout.tsx'
import type { TableFile } from '../../shared/ui/table-file/read-table-file.ts'
import { TableFilePicker } from '../../shared/ui/table-file/table-file-picker.tsx'
import { refusalText } from '../../shared/ui/use-act.ts'
import css from './rule-list.module.css'
import { rulesKey } from './rule-queries.ts'

export interface ImportRulesDialogProps {
  machineId: number
  onClose: () => void
}

/** The most characters that the call accepts. */
const charactersMax = 500_000

/** Reads rules from a file; each line that was refused is named, and can be downloaded with the reason. */
export function ImportRulesDialog({ machineId, onClose }: ImportRulesDialogProps) {
  const text = useText()
  const t = text.alarmRules.importing
  const client = useQueryClient()
  const [file, setFile] = useState<TableFile>()
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: (csv: string) => call(alarmRules.importAlarmRules, { machineId, csv }, { noNotice: true }),
    onSettled: () => client.invalidateQueries({ queryKey: rulesKey(machineId) }),
  })

  function choose(chosen: TableFile | undefined) {
    reset()
    setFile(chosen)
  }

  const why = ({ reason, column }: { reason: alarmRules.RuleRefusal; column: string }) => {
    const said = text.alarmRules.refusals[reason]
    return column ? t.column(column, said) : said
  }

  function saveRefused() {
    if (!file || !data) return
    const [heading, ...lines] = file.lines
    const cellsOf = new Map(lines.map(({ line, cells }) => [line, cells]))
    const rows = data.refused.map((one) => [...(cellsOf.get(one.line) ?? []), why(one)])
    saveFile(`${t.fileName}.csv`, formatTable([[...(heading?.cells ?? []), t.reason], ...rows]), 'text/csv')
  }

  return (
    <Dialog
      title={t.title}
      width={520}
      onClose={isPending ? undefined : onClose}
      actions={
        data ? (
          <Button kind="primary" onClick={onClose}>
            {text.app.close}
          </Button>
        ) : (
          <>
            <Button disabled={isPending} onClick={onClose}>
              {text.app.cancel}
            </Button>
            <Button
              kind="primary"
              busy={isPending}
              disabled={!file}
              onClick={() => file && mutate(file.text)}
            >
              {t.start}
            </Button>
          </>
        )
      }
    >
      <div className={form.form}>
        {!data && (
          <>
            <Text as="p" pretty>
              {t.lead}
            </Text>
            <TableFilePicker
              label={t.choose}
              charactersMax={charactersMax}
              disabled={isPending}
              onRead={choose}
            />
          </>
        )}
        {error && (
          <p role="alert" className={form.error}>
            {refusalText(error, t.failed) ?? t.failed}
          </p>
        )}
        {data && <p role="status">{t.created(formatNumber(data.created))}</p>}
        {data && data.refused.length > 0 && (
          <>
            <p>{t.refused(formatNumber(data.refused.length))}</p>
            <ul className={css.outcomes}>
              {data.refused.map((one) => (
                <li key={`${one.line} ${one.column}`}>{t.line(formatNumber(one.line), why(one))}</li>
              ))}
            </ul>
            <div>
              <Button icon="download" onClick={saveRefused}>
                {t.save}
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}
