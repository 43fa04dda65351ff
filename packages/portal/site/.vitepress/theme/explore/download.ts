/** Gives the reader a text as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A number of credits in words. */
export function credits(number: number): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? 'credit' : 'credits'}`;
}
