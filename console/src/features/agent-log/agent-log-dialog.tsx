import { ApiError, checks, type Lang } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeviceDialog } from '../../entities/machine/device-dialog.ts'
import { call } from '../../shared/api/client.ts'
import { refusalWords } from '../../shared/api/refusal-words.ts'
import { agentLog as cn } from '../../shared/i18n/cn/agent-log.ts'
import { agentLog as en } from '../../shared/i18n/en/agent-log.ts'
import { formatClock, formatNumber, useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Panel, Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { Select } from '../../shared/ui/select/select.tsx'
import { Tag, type TagTone } from '../../shared/ui/tag.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'

/** Both languages come with the dialog: no page waits for its words. */
const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

const shownLevels = { all: undefined, warn: ['warn', 'error'], error: ['error'] } as const
type ShownLevel = keyof typeof shownLevels
const levelNames = Object.keys(shownLevels) as ShownLevel[]
const tones: Readonly<Record<string, TagTone>> = { warn: 'warn', error: 'bad' }

/** A ring of 1 MB can hold thousands of lines; a person who looks for older ones searches. */
const linesMax = 500

/** The last hour of the log of a device's agent, and the file for support. */
export function AgentLogDialog({ wish, onClose }: { wish: DeviceDialog; onClose: () => void }) {
  const { machineId, name } = wish
  const lang = useLang()
  const t = texts[lang]
  const { app } = useText()
  const [level, setLevel] = useState<ShownLevel>('all')
  const [search, setSearch] = useState('')
  const [isSaving, setSaving] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['agentLog', machineId],
    queryFn: ({ signal }) => call(checks.getAgentLog, { machineId }, { signal, silent: true }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const letters = search.trim().toLowerCase()
  const found = data?.lines
    .filter(
      (line) =>
        (shownLevels[level]?.some((one) => one === line.level) ?? true) &&
        `${line.event} ${line.text}`.toLowerCase().includes(letters),
    )
    .reverse()

  async function saveBundle(): Promise<void> {
    setSaving(true)
    try {
      saveFile(`${t.bundleName(name)}.json`, await loadBundle(machineId, lang), 'application/json')
    } catch {
      showToast(t.bundleFailed, 'failure')
    } finally {
      setSaving(false)
    }
  }

  return (
    <Dialog
      title={t.title(name)}
      width={820}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.close}</Button>
          <Button icon="download" busy={isSaving} onClick={() => void saveBundle()}>
            {t.bundle}
          </Button>
          <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
            {t.reload}
          </Button>
        </>
      }
    >
      <Stack gap={12}>
        <Text as="p" tone="soft" size="12/18">
          {t.lead}
        </Text>
        {error ? (
          <EmptyState
            icon={error instanceof ApiError && error.is('AGENT_AWAY') ? 'offline' : 'warning'}
            title={t.failed}
            hint={error instanceof ApiError ? refusalWords(error, lang) : undefined}
          />
        ) : (
          <>
            <Row gap="8 12" wraps>
              <Select
                label={t.level}
                isLabelHidden
                choices={levelNames.map((value) => ({ value, label: t.levels[value] }))}
                value={level}
                onChange={setLevel}
              />
              <SearchField label={t.search} value={search} onChange={setSearch} />
            </Row>
            {!(data && found) ? (
              <Text as="p" tone="quiet" role="status">
                {t.loading}
              </Text>
            ) : found.length === 0 ? (
              <Text as="p" tone="quiet" role="status">
                {data.lines.length === 0 ? t.none : t.noneFound}
              </Text>
            ) : (
              <Lines lines={found.slice(0, linesMax)} t={t} />
            )}
            {found && found.length > linesMax && (
              <Text as="p" tone="quiet" size="12/18">
                {t.more(formatNumber(linesMax), formatNumber(found.length))}
              </Text>
            )}
            {data?.isCut && (
              <Text as="p" tone="quiet" size="12/18">
                {t.cut}
              </Text>
            )}
          </>
        )}
      </Stack>
    </Dialog>
  )
}

type Line = Awaited<ReturnType<typeof call<typeof checks.getAgentLog>>>['lines'][number]

function Lines({ lines, t }: { lines: readonly Line[]; t: typeof cn }) {
  return (
    <Panel as="ul" aria-label={t.lines}>
      {lines.map(({ at, level, event, text }, place) => (
        // Two lines can be the same in all they say.
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and a reload replaces them all
        <Row as="li" key={place} gap="0 10" pad="4 8" wraps align="baseline" size="12/18">
          <Text tone="quiet" numbers>
            {formatClock(at)}
          </Text>
          <Tag tone={tones[level] ?? 'plain'}>{t.levelNames[level] ?? level}</Tag>
          <Text mono weight={550}>
            {event}
          </Text>
          <Text mono tone="soft" breaks>
            {text}
          </Text>
        </Row>
      ))}
    </Panel>
  )
}

/** A link would save a refusal as the file. */
async function loadBundle(machineId: number, lang: Lang): Promise<Blob> {
  const { method, path } = checks.getSupportBundle
  const answer = await fetch(`${path.replace(':machineId', String(machineId))}?lang=${lang}`, { method })
  if (!answer.ok || !answer.headers.has('content-disposition')) throw new Error('no bundle')
  return answer.blob()
}
