/** A table with a heading, its columns as wide as their longest value. */
export function inColumns(rows) {
    const names = Object.keys(rows[0] ?? {});
    const cells = [names, ...rows.map((row) => names.map((name) => textOf(row[name])))];
    const widths = names.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
    const lineOf = (line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
    return cells.map((line) => lineOf(line).trimEnd()).join('\n');
}
/** A line for each field; a list has a line for each of its elements. */
export function inLines(row) {
    const width = Math.max(...Object.keys(row).map((name) => name.length));
    return Object.entries(row)
        .flatMap(([name, value]) => {
        if (!Array.isArray(value))
            return `${name.padEnd(width)}  ${textOf(value)}`.trimEnd();
        const lines = value.map((element) => Object.values(element).map(textOf).join('  '));
        const [first = '', ...rest] = lines;
        const head = `${name.padEnd(width)}  ${first}`.trimEnd();
        return [head, ...rest.map((line) => `${' '.repeat(width)}  ${line}`)];
    })
        .join('\n');
}
/** One line, without control characters: names are what people typed. */
export function textOf(value) {
    if (value === null)
        return '';
    if (value instanceof Date)
        return value.toISOString();
    return String(value).replace(/\p{Cc}+/gu, ' ');
}
//# sourceMappingURL=text.js.map