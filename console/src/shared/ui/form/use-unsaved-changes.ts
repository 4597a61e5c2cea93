import { useEffect } from 'react'
import { useNoteChange } from '../kit/dialog-box.ts'

/** Makes the dialog around it ask before it discards input; native fields in it are watched without this. */
export function useUnsavedChanges(isDirty: boolean): void {
  const noteChange = useNoteChange()
  useEffect(() => {
    if (isDirty) noteChange()
  }, [isDirty, noteChange])
}
