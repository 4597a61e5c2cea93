import { annotations } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { formatExact, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ListFailed } from '../../shared/ui/empty-state.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { notesKey } from './note-queries.ts'
import css from './notes.module.css'

/** The former texts of a note, the latest first. */
export function NoteVersions({ id, onClose }: { id: number; onClose: () => void }) {
  const { history, app } = useText()
  const t = history.notes
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [...notesKey, 'versions', id],
    queryFn: ({ signal }) => call(annotations.listAnnotationVersions, { id }, { signal, noNotice: true }),
    staleTime: 0,
  })
  return (
    <Dialog title={t.versions} onClose={onClose} actions={<Button onClick={onClose}>{app.close}</Button>}>
      {!data && !isError && <Skeleton height={60} />}
      {!data && isError && <ListFailed isFetching={isFetching} retry={() => void refetch()} />}
      <ul className={css.list}>
        {data?.map(({ text, until }) => (
          <li key={until} className={css.version}>
            <p className={css.text}>{text}</p>
            <p className={css.minor}>{t.until(formatExact(until))}</p>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
