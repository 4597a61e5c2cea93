import { type RequestOf, reports } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { formatMinute, useLang } from '../../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../../shared/i18n/time-span.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { refusalText } from '../../../shared/ui/use-act.ts'
import { reportsKey } from '../report-queries.ts'
import css from '../reports.module.css'
import { useReportsText } from '../reports-text.ts'

interface ReportPreviewProps {
  space: PageSpace
  /** Undefined until a preview is requested. */
  wish: Omit<RequestOf<typeof reports.previewReport>, 'eid'> | undefined
}

/**
 * The first pages of a report as it would be made now; pictures, because phones cannot show a PDF within a
 * page.
 */
export function ReportPreview({ space, wish }: ReportPreviewProps) {
  const t = useReportsText().preview
  const lang = useLang()
  const { data, isFetching, error } = useQuery({
    queryKey: [...reportsKey, 'preview', space.asked, wish, lang],
    queryFn: ({ signal }) => {
      if (!wish) throw new Error('There is nothing to show.')
      return call(reports.previewReport, { ...space.asked, ...wish }, { signal, noNotice: true })
    },
    enabled: wish !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <section className={css.preview} aria-label={t.title} aria-busy={isFetching}>
      <h3 className={css.subtitle}>{t.title}</h3>
      {!wish && <p className={css.minor}>{t.hint}</p>}
      {isFetching && <Skeleton height={420} />}
      {!isFetching && error && <EmptyState icon="warning" title={refusalText(error, t.failed) ?? t.failed} />}
      {!isFetching && data && (
        <>
          <p className={css.minor}>
            {t.about(formatTimeSpan(data))} · {t.next(formatMinute(data.nextAt))}
          </p>
          <ol className={css.pages}>
            {data.pictures.map((picture, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a page is named by its number
              <li key={place}>
                <img
                  className={css.page}
                  alt={t.page(place + 1, data.pages)}
                  src={`data:image/svg+xml;utf8,${encodeURIComponent(picture)}`}
                />
              </li>
            ))}
          </ol>
          {data.pages > data.pictures.length && (
            <p className={css.minor}>{t.cut(data.pictures.length, data.pages)}</p>
          )}
        </>
      )}
    </section>
  )
}
