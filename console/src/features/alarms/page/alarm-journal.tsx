import { alarms } from '@busbar/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { AlarmDetail, AlarmEvent } from '../../../entities/alarm/alarm-queries.ts'
import { alarmJournalQuery } from '../../../entities/alarm/alarm-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { formatExact, formatMinute, useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { fileStamp, ownCsvWish } from '../../../shared/ui/data/csv.ts'
import { saveFile } from '../../../shared/ui/data/save-file.ts'
import { Grid, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import pane from '../../../shared/ui/pane/pane.module.css'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import css from './alarm-pane.module.css'

/** The history of an alarm, the latest first: when, who did it, and their note. */
export function AlarmJournal({ alarm: { alarmId, machineId } }: { alarm: AlarmDetail }) {
  const text = useText()
  const t = text.alarms.page
  const lang = useLang()
  const { data, isError, isFetching, refetch } = useQuery(alarmJournalQuery({ alarmId, machineId }, lang))
  const save = useMutation({
    mutationFn: () =>
      call(alarms.exportAlarmJournal, { alarmId, machineId, ...ownCsvWish() }, { noNotice: true }),
    onSuccess: ({ csv }) =>
      saveFile(`${t.journal} ${fileStamp(Date.now())}.csv`, csv, 'text/csv;charset=utf-8'),
    onError: () => showToast(text.alarms.list.exportFailed, 'failure'),
  })
  return (
    <section className={pane.section} aria-label={t.journal} aria-busy={!data}>
      <Row gap={8} justify="between">
        <h3>{t.journal}</h3>
        <Button
          kind="ghost"
          size="small"
          icon="download"
          busy={save.isPending}
          disabled={!data?.list.length}
          onClick={() => save.mutate()}
        >
          {t.journalExport}
        </Button>
      </Row>
      {data ? (
        <>
          <Stack as="ol" above={8}>
            {data.list.map((event) => (
              <JournalEvent key={event.id} event={event} />
            ))}
          </Stack>
          {data.total > data.list.length && (
            <Text as="p" above={6} tone="quiet">
              {t.journalCut}
            </Text>
          )}
        </>
      ) : isError ? (
        <Text as="p" above={6} tone="quiet" role="alert">
          {t.journalFailed}{' '}
          <Button size="small" icon="refresh" busy={isFetching} onClick={() => void refetch()}>
            {text.app.retry}
          </Button>
        </Text>
      ) : (
        <Skeleton height={80} className={pane.skeletonBlock} />
      )}
    </section>
  )
}

function JournalEvent({ event }: { event: AlarmEvent }) {
  const { events, acts, page: t, times } = useText().alarms
  const { kind, at, by, until, note, count } = event
  const said = [
    by ?? (isOfPerson(kind) ? t.itself : ''),
    kind === 'counted' && count !== null ? times(String(count)) : '',
    until === null ? '' : acts.endsAt(formatMinute(until)),
  ].filter(Boolean)
  return (
    <Grid as="li" padY={6} gap="0 10" className={css.event} data-kind={kind}>
      <div>
        <Row as="p" gap="0 10" align="baseline" justify="between" wraps className={css.first}>
          <b>{events[kind]}</b>
          <time className={css.at} dateTime={new Date(at).toISOString()}>
            {formatExact(at)}
          </time>
        </Row>
        {said.length > 0 && <p className={css.said}>{said.join(' · ')}</p>}
        {note && <p className={css.said}>{note}</p>}
      </div>
    </Grid>
  )
}

/** Acts of people; a shelving may also end without one. */
const isOfPerson = (kind: AlarmEvent['kind']) => kind === 'unshelved'
