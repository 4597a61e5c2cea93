import type { ApiDocText } from '../../shared/i18n/cn/api-doc.ts'
import { useText } from '../../shared/i18n/language.ts'

/** The texts of the API reference, which are loaded with it only. */
export function useApiDocText(): ApiDocText {
  return (useText() as unknown as { apiDoc: ApiDocText }).apiDoc
}
