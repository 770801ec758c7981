import { Text } from '../shared/Text';
import type { BodyPart, RawStep, StepImage } from '../shared/traceProtocol';
import { Markdown } from './Markdown';
import type { StepBody as Whole } from './pageState';

interface Props {
  n: number;
  body: Whole | undefined;
  images: ReadonlyMap<string, StepImage>;
  /** Draw what the model wrote as Markdown. */
  markdown: boolean;
}

/** The whole step: its texts one below the other, then its images. */
export function StepBody({ n, body, images, markdown }: Props) {
  if (!body) return <p class="dim">Reading the step.</p>;
  const repeats = body.parts.some((part) => part.kind === 'changes');
  return (
    <>
      {body.parts.map((part, index) => (
        // Parts of a step never change their order.
        <Part key={index} part={part} markdown={markdown} folded={repeats && part.kind === 'text'} />
      ))}
      {Array.from({ length: body.images }, (_, index) => (
        <Picture key={`image ${index}`} n={n} index={index} image={images.get(`${n}:${index}`)} />
      ))}
    </>
  );
}

function Part({ part, markdown, folded }: { part: BodyPart; markdown: boolean; folded: boolean }) {
  const rendered = markdown && (part.kind === 'text' || part.kind === 'reasoning');
  const left = part.left > 0 && (
    <p class="dim">{part.left.toLocaleString('en-US')} more characters; "Open as text" shows the whole file.</p>
  );
  const text = rendered ? (
    <Markdown value={part.text} />
  ) : part.kind === 'changes' ? (
    <Changes lines={part.text} />
  ) : (
    <pre class="mono">
      <Text value={part.text} />
    </pre>
  );
  if (folded) {
    return (
      <details class="part">
        <summary>the whole text</summary>
        {text}
        {left}
      </details>
    );
  }
  return (
    <section class={`part ${part.kind}`}>
      {part.title !== 'text' && (
        <h2>
          <Text value={part.title} />
        </h2>
      )}
      {text}
      {left}
    </section>
  );
}

/** Lines with `+` or `-` in front; the sign says what the colour repeats. */
function Changes({ lines }: { lines: string }) {
  return (
    <pre class="mono changes">
      {lines.split('\n').map((line, index) => (
        // Lines of a difference never move.
        <span key={index} class={line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : ''}>
          <Text value={`${line}\n`} />
        </span>
      ))}
    </pre>
  );
}

function Picture({ n, index, image }: { n: number; index: number; image: StepImage | undefined }) {
  if (!image) return <p class="dim">Reading image {index + 1}.</p>;
  const kind = image.type.replace('image/', '').toUpperCase();
  const size = `${Math.ceil(image.bytes / 1024).toLocaleString('en-US')} KB`;
  const words = `Image ${index + 1} of step ${n}, ${kind}, ${size}`;
  if (image.data === null) return <p class="dim">{words}: too large to be shown; the raw record has it.</p>;
  return (
    <figure class="picture">
      <img src={`data:${image.type};base64,${image.data}`} alt={words} />
      <figcaption class="dim">{words}</figcaption>
    </figure>
  );
}

/** The record as it stands in the file, with where it lies. */
export function RawRecord({ raw }: { raw: RawStep | undefined }) {
  if (!raw) return <p class="dim">Reading the record.</p>;
  return (
    <section class="part raw">
      <ul class="places">
        {raw.ranges.map((range) => (
          <li key={`${range.file}:${range.part}:${range.offset}`}>
            bytes {range.offset.toLocaleString('en-US')} to {(range.offset + range.length).toLocaleString('en-US')} of{' '}
            <Text value={range.part ?? range.file} />
            {range.part !== null && (
              <>
                {' '}
                in <Text value={range.file} />
              </>
            )}
          </li>
        ))}
      </ul>
      <pre class="mono">
        <Text value={raw.text} />
      </pre>
      {raw.left > 0 && <p class="dim">{raw.left.toLocaleString('en-US')} more characters are in the file.</p>}
    </section>
  );
}
