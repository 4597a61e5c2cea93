import {
  type TagSettingField,
  type TagSettings,
  tagLimits,
  tagSettings,
  type telemetry,
} from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { machineTagsKey } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'
import type { TagsText } from '../../../shared/i18n/cn/tags.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import form from '../../../shared/ui/dialogs/form.module.css'
import { Box, Text } from '../../../shared/ui/layout/layout.tsx'
import type { TableFile } from '../../../shared/ui/table-file/read-table-file.ts'
import { TableFilePicker } from '../../../shared/ui/table-file/table-file-picker.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { refusalText } from '../../../shared/ui/use-act.ts'
import { changedFields } from './tag-draft.ts'
import css from './tags.module.css'
import { useTagsText } from './tags-text.ts'

interface ImportTagsDialogProps {
  machineId: number
  tags: readonly telemetry.Tag[]
  onClose: () => void
}

/** Reads a file of variables, shows each change, and applies all of them, or none if a line is wrong. */
export function ImportTagsDialog({ machineId, tags, onClose }: ImportTagsDialogProps) {
  const { app } = useText()
  const words = useTagsText()
  const t = words.importing
  const client = useQueryClient()
  const [file, setFile] = useState<TableFile>()
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: (wish: { csv: string; apply: boolean }) =>
      call(tagSettings.importTags, { machineId, ...wish }, { noNotice: true }),
    onSuccess: ({ applied, changes }) => {
      if (!applied) return
      void client.invalidateQueries({ queryKey: machineTagsKey(machineId) })
      showToast(t.done(formatNumber(changes)))
      onClose()
    },
  })

  function choose(chosen: TableFile | undefined) {
    reset()
    setFile(chosen)
    if (chosen) mutate({ csv: chosen.text, apply: false })
  }

  const mayApply = data !== undefined && data.faults === 0 && data.changes > 0
  return (
    <Dialog
      title={t.title}
      width={600}
      onClose={isPending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isPending} onClick={onClose}>
            {app.cancel}
          </Button>
          <Button
            kind="primary"
            busy={isPending}
            disabled={!mayApply}
            onClick={() => file && mutate({ csv: file.text, apply: true })}
          >
            {mayApply ? t.apply(formatNumber(data.changes)) : t.check}
          </Button>
        </>
      }
    >
      <div className={form.form}>
        <Text as="p" pretty>
          {t.lead}
        </Text>
        <TableFilePicker
          label={t.choose}
          charactersMax={tagLimits.tagFileCharactersMax}
          disabled={isPending}
          onRead={choose}
        />
        {error && (
          <p role="alert" className={form.error}>
            {refusalText(error, t.failed) ?? t.failed}
          </p>
        )}
        {data && data.faults > 0 && <Refused answer={data} t={t} />}
        {data && data.faults === 0 && <Changes answer={data} tags={tags} words={words} />}
      </div>
    </Dialog>
  )
}

type Words = TagsText['importing']

function Refused({ answer, t }: { answer: tagSettings.TagImport; t: Words }) {
  const more = answer.faults - answer.refused.length
  return (
    <div role="alert">
      <p>{t.refused(formatNumber(answer.faults))}</p>
      <p className={form.hint}>{t.refusedHint}</p>
      <ul className={css.changes}>
        {answer.refused.map(({ line, reason, column }) => (
          <Box key={line} as="li" pad="8 12" className={css.change}>
            {t.line(formatNumber(line), column ? t.column(column, t.refusals[reason]) : t.refusals[reason])}
          </Box>
        ))}
      </ul>
      {more > 0 && <p className={form.hint}>{t.further(formatNumber(more))}</p>}
    </div>
  )
}

interface ChangesProps {
  answer: tagSettings.TagImport
  tags: readonly telemetry.Tag[]
  words: TagsText
}

function Changes({ answer, tags, words }: ChangesProps) {
  const t = words.importing
  const byId = new Map(tags.map((tag) => [tag.tagId, tag]))
  const more = answer.changes - answer.changed.length
  const unchanged = answer.unchanged > 0 ? t.unchanged(formatNumber(answer.unchanged)) : ''
  return (
    <div role="status">
      <p>{answer.changes === 0 ? t.none : t.changes(formatNumber(answer.changes))}</p>
      {unchanged && <p className={form.hint}>{unchanged}</p>}
      {answer.changed.length > 0 && (
        <ul className={css.changes}>
          {answer.changed.map(({ line, tagId, before, after }) => (
            <Box key={line} as="li" pad="8 12" className={css.change}>
              <Text as="p" weight={500}>
                {byId.get(tagId)?.name ?? byId.get(tagId)?.tag}
              </Text>
              {changedFields(before, after).map((field) => (
                <Text key={field} as="p" tone="soft" size="12/18" breaks>
                  {t.field(t.fields[field])}
                  <span className={css.before}>{sayField(before, field, words)}</span>
                  {' → '}
                  <Text tone="text">{sayField(after, field, words)}</Text>
                </Text>
              ))}
            </Box>
          ))}
        </ul>
      )}
      {more > 0 && <p className={form.hint}>{t.further(formatNumber(more))}</p>}
    </div>
  )
}

function sayField(settings: TagSettings, field: TagSettingField, { importing: t, types }: TagsText): string {
  const value = settings[field]
  if (field === 'readAs' && settings.readAs) return types[settings.readAs]
  if (value === undefined) return t.own
  if (value === '') return t.noUnit
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, text]) => `${key} = ${text}`)
      .join('; ')
  return String(value)
}
