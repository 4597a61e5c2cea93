import { access, telemetry } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { roleQuery } from '../../../entities/access/access-queries.ts'
import { limitsOf } from '../../../entities/access/may-give.ts'
import type { HeldDetail, MachineDetail } from '../../../entities/machine/machine.ts'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Box, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { Select } from '../../../shared/ui/select/select.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { ZonePicker } from '../../../shared/ui/zone-picker.tsx'
import css from './machine-language.module.css'

/** Stands for automatic detection among the named adapters. */
const automatic = 'automatic' as const

type Language = Pick<HeldDetail, 'adapter' | 'timeZone' | 'textEncoding' | 'otherTopics'>

/** The adapter, zone, text encoding and topics with which a machine's messages are read; a key may fix them. */
export function MachineLanguage({ detail }: { detail: HeldDetail }) {
  const text = useText()
  const t = text.facts
  const { mutate, isPending } = useLanguageChange(detail)
  const isFixed = limitsOf(useQuery(roleQuery(detail.id)).data).mode !== undefined
  const nameOf = (adapter: Language['adapter']) => (adapter ? text.raw.adapters[adapter] : t.adapterAuto)
  return (
    <Box as="section" pad="14 16" aria-label={t.understanding} aria-busy={isPending || undefined}>
      <h3>{t.understanding}</h3>
      {isFixed && (
        <Text as="p" tone="quiet" size="12/16" pretty>
          {text.access.lacks.settings}
        </Text>
      )}
      <Row above={12} gap={16} justify="between">
        <Box shrinks>
          <p>{t.adapter}</p>
          <Text as="p" tone="quiet" size="12/16" pretty>
            {t.adapterHint}
          </Text>
        </Box>
        <Select
          label={t.adapter}
          isLabelHidden
          className={css.choice}
          disabled={isFixed}
          choices={(['', ...telemetry.adapters] as const).map((adapter) => ({
            value: adapter || automatic,
            label: nameOf(adapter),
          }))}
          value={detail.adapter || automatic}
          onChange={(adapter) => mutate({ adapter: adapter === automatic ? '' : adapter })}
        />
      </Row>
      <Row above={12} gap={16} justify="between">
        <Box shrinks>
          <p>{t.timeZone}</p>
          <Text as="p" tone="quiet" size="12/16" pretty>
            {t.timeZoneHint}
          </Text>
        </Box>
        <ZonePicker
          label={t.timeZone}
          value={detail.timeZone}
          disabled={isFixed}
          onChange={(timeZone) => timeZone !== detail.timeZone && mutate({ timeZone })}
        />
      </Row>
      <Row above={12} gap={16} justify="between">
        <Box shrinks>
          <p>{t.textEncoding}</p>
          <Text as="p" tone="quiet" size="12/16" pretty>
            {t.textEncodingHint}
          </Text>
        </Box>
        <Select
          label={t.textEncoding}
          isLabelHidden
          className={css.choice}
          disabled={isFixed}
          choices={telemetry.textEncodings.map((value) => ({ value, label: t.textEncodings[value] }))}
          value={detail.textEncoding}
          onChange={(textEncoding) => mutate({ textEncoding })}
        />
      </Row>
      <Row above={12} gap={16} justify="between">
        <Box shrinks>
          <p>{t.otherTopics}</p>
          <Text as="p" tone="quiet" size="12/16" pretty>
            {t.otherTopicsHint}
          </Text>
        </Box>
        <Switch
          label={t.otherTopics}
          checked={detail.otherTopics}
          disabled={isFixed}
          onChange={(otherTopics) => mutate({ otherTopics })}
        />
      </Row>
    </Box>
  )
}

/** Changes it immediately, and restores it if the platform refuses. */
function useLanguageChange(detail: HeldDetail) {
  const t = useText().facts
  const client = useQueryClient()
  const queryKey = ['machines', detail.id, 'detail']
  const write = (change: Partial<Language>) =>
    client.setQueriesData<MachineDetail>({ queryKey }, (machine) =>
      machine && 'adapter' in machine ? { ...machine, ...change } : machine,
    )
  return useMutation({
    mutationFn: (change: Partial<Language>) =>
      call(access.updateMachineInfo, { machineCode: detail.code, ...change }),
    onMutate: (change) => {
      write(change)
      const { adapter, timeZone, textEncoding, otherTopics } = detail
      return { adapter, timeZone, textEncoding, otherTopics }
    },
    onSuccess: () => showToast(t.saved),
    onError: (_error, _change, before) => {
      if (before) write(before)
      showToast(t.saveFailed, 'failure')
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
