/** The words of the search in captions. */
export const en = {
  title: 'Search in captions',
  intro: 'What is said in videos that play. A new caption is found within a minute or two.',
  search: 'What is said',
  results: 'Moments',
  playFrom: 'Play from {time}',
  emptyTitle: 'What are you looking for?',
  emptyText:
    'Words are found in all their forms. Put a phrase in quotes, and a minus before what must not be said.',
  noneTitle: 'Nothing matches',
  noneText: 'No caption of a video that plays says all of this within a minute.',
  wordsTitle: 'No word to look for',
  wordsText: 'Words such as “the” are too frequent to be found. Add another one.',
}

export type SearchWords = typeof en
