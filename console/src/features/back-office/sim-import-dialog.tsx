import { operator } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { formatTable } from '../../shared/ui/data/csv.ts'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { Note, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import type { TableFile } from '../../shared/ui/table-file/read-table-file.ts'
import { TableFilePicker } from '../../shared/ui/table-file/table-file-picker.tsx'
import { refusalText } from '../../shared/ui/use-act.ts'
import css from './import-dialog.module.css'
import { operatorKey } from './operator-queries.ts'
import { listRefusedLines } from './refused-lines.ts'
import { useOperatorSimsText } from './sims-text.ts'

/** More are in the file of refused lines. */
const refusedShownMax = 100

/** Registers cards from a file, or from lines that are pasted; each refused line is named, and can be saved. */
export function SimImportDialog({ onClose }: { onClose: () => void }) {
  const { importing: t } = useOperatorSimsText()
  const { app } = useText()
  const queries = useQueryClient()
  const [file, setFile] = useState<TableFile>()
  const [pasted, paste] = useState('')
  const csv = file?.text ?? pasted
  const send = useMutation({
    mutationFn: (text: string) => call(operator.importCards, { csv: text }, { noNotice: true }),
    onSettled: () => queries.invalidateQueries({ queryKey: operatorKey }),
  })
  const { data: outcome, isPending } = send
  return (
    <Dialog
      title={t.add}
      width={600}
      onClose={isPending ? undefined : onClose}
      actions={
        outcome ? (
          <Button onClick={onClose}>{t.close}</Button>
        ) : (
          <>
            <Button disabled={isPending} onClick={onClose}>
              {app.cancel}
            </Button>
            <Button
              kind="primary"
              busy={isPending}
              disabled={csv.trim() === ''}
              onClick={() => send.mutate(csv)}
            >
              {t.start}
            </Button>
          </>
        )
      }
    >
      {outcome ? (
        <Outcome csv={csv} {...outcome} />
      ) : (
        <Stack gap={16}>
          <Text as="p" pretty>
            {t.lead}
          </Text>
          <Note>{t.excel}</Note>
          <div className={css.file}>
            <TableFilePicker
              label={t.choose}
              charactersMax={operator.importCharactersMax}
              disabled={isPending}
              onRead={setFile}
            />
          </div>
          {!file && (
            <TextArea
              label={t.paste}
              className="mono"
              rows={5}
              spellCheck={false}
              maxLength={operator.importCharactersMax}
              disabled={isPending}
              value={pasted}
              onChange={paste}
              hint={<Note>{t.pasteHint}</Note>}
            />
          )}
          {send.error && (
            <Text as="p" tone="crit" role="alert">
              {refusalText(send.error, t.failed) ?? t.failed}
            </Text>
          )}
        </Stack>
      )}
    </Dialog>
  )
}

interface OutcomeProps {
  csv: string
  created: number
  refused: readonly { readonly line: number; readonly reason: operator.CardRefusal }[]
}

function Outcome({ csv, created, refused }: OutcomeProps) {
  const { importing: t } = useOperatorSimsText()
  function save(): void {
    const { line, reason, ...columns } = t.columns
    const { heading, rows } = listRefusedLines(csv, refused, Object.values(columns))
    const table = [
      [...heading, line, reason],
      ...rows.map((row) => [...row.cells.map(code), row.line, t.reasons[row.reason]]),
    ]
    saveFile(`${t.fileName}.csv`, formatTable(table), 'text/csv;charset=utf-8')
  }
  return (
    <Stack gap={16}>
      <p role="status">{t.created(formatNumber(created))}</p>
      {refused.length > 0 && (
        <Stack as="section" gap={8} align="start" aria-label={t.refused(formatNumber(refused.length))}>
          <Text as="h3" size="14/20">
            {t.refused(formatNumber(refused.length))}
          </Text>
          <Note>{t.refusedHint}</Note>
          <ul className={css.refused}>
            {refused.slice(0, refusedShownMax).map(({ line, reason }) => (
              <li key={line}>{t.line(formatNumber(line), t.reasons[reason])}</li>
            ))}
            {refused.length > refusedShownMax && (
              <li>{t.more(formatNumber(refused.length - refusedShownMax))}</li>
            )}
          </ul>
          <Button icon="download" onClick={save}>
            {t.save}
          </Button>
        </Stack>
      )}
    </Stack>
  )
}

/** A long number that a spreadsheet must not change. */
const code = (text: string) => (/^\d{15,}$/.test(text) ? { code: text } : text)
