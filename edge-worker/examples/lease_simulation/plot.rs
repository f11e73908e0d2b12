//! Draws the figures of the simulation by the number of isolates, as an SVG with three panels.

use std::fmt::Write;

use super::Figures;

/// Size of a panel, the room around it for labels, and the height of a line of text, in pixels. Names of lines go below.
const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 220.0;
const MARGIN: f64 = 60.0;
const LINE: f64 = 18.0;

/// Largest number of isolates on the axis.
const MOST_ISOLATES: f64 = 1_000.0;

/// Ends of the axes of shares and of waits in milliseconds.
const BUSY: [f64; 2] = [0.0, 1.0];
const SHARES: [f64; 2] = [0.9, 1.0];
const WAITS_MS: [f64; 2] = [0.0, 2_000.0];

/// One line of a panel: its name, its look, and its value in a case.
struct Series {
    name: String,
    limit: u32,
    style: &'static str,
    value: fn(&Figures) -> f64,
}

/// The share of time that the object works, the share of the limit that is admitted, and how long requests wait.
pub fn plot(figures: &[Figures]) -> String {
    let (width, height) = (3.0 * (WIDTH + MARGIN) + MARGIN, HEIGHT + 2.0 * MARGIN + 4.0 * LINE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>25,000 requests a second on one key, by the number of isolates</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let limits = |value: fn(&Figures) -> f64| {
        [(3_000_000, "half of the limit", HALF), (750_000, "twice the limit", TWICE)]
            .map(|(limit, demand, style)| Series { name: format!("demand is {demand}"), limit, style, value })
    };
    panel(&mut svg, 0, "share of time that the object works", BUSY, figures, &limits(|case| case.object_busy));
    panel(&mut svg, 1, "share of what an exact log admits", SHARES, figures, &limits(|case| case.share));
    let waits = [("p50", "half", 3_000_000, HALF_P50), ("p50", "twice", 750_000, TWICE_P50)];
    let mut series = Vec::from(waits.map(|(quantile, demand, limit, style)| Series {
        name: format!("{quantile}, demand {demand} of the limit"),
        limit,
        style,
        value: |case| case.wait_p50_ms as f64,
    }));
    let waits = [("p99", "half", 3_000_000, HALF), ("p99", "twice", 750_000, TWICE)];
    series.extend(waits.map(|(quantile, demand, limit, style)| Series {
        name: format!("{quantile}, demand {demand} of the limit"),
        limit,
        style,
        value: |case| case.wait_p99_ms as f64,
    }));
    panel(&mut svg, 2, "milliseconds that requests wait", WAITS_MS, figures, &series);
    svg + "</svg>\n"
}

const HALF: &str = "stroke=\"#1b6ca8\"";
const TWICE: &str = "stroke=\"#b4531a\"";
const HALF_P50: &str = "stroke=\"#1b6ca8\" stroke-dasharray=\"4\"";
const TWICE_P50: &str = "stroke=\"#b4531a\" stroke-dasharray=\"4\"";

fn panel(svg: &mut String, place: u8, title: &str, [least, most]: [f64; 2], figures: &[Figures], series: &[Series]) {
    let (left, bottom) = (MARGIN + f64::from(place) * (WIDTH + MARGIN), MARGIN + HEIGHT);
    let x = |isolates: f64| left + WIDTH * isolates / MOST_ISOLATES;
    let y = |value: f64| bottom - HEIGHT * (value.clamp(least, most) - least) / (most - least);
    let mut add = |part: String| writeln!(svg, "{part}").expect("a string takes everything");
    add(format!(
        "<rect x=\"{left}\" y=\"{MARGIN}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#999\"/>"
    ));
    add(text(left + WIDTH / 2.0, MARGIN - 15.0, "middle", title));
    for tick in 0..=4 {
        let share = f64::from(tick) / 4.0;
        let isolates = share * MOST_ISOLATES;
        let value = least + share * (most - least);
        let shown = if most > 1.0 { format!("{value:.0}") } else { format!("{value:.3}") };
        add(text(x(isolates), bottom + LINE, "middle", &format!("{isolates:.0}")));
        add(text(left - 6.0, y(value) + 4.0, "end", &shown));
    }
    for (at, Series { name, limit, style, value }) in series.iter().enumerate() {
        let of_limit = figures.iter().filter(|case| case.limit == *limit);
        let points: Vec<(f64, f64, String)> = of_limit
            .map(|case| {
                (x(case.isolates as f64), y(value(case)), format!("{} isolates: {:.3}", case.isolates, value(case)))
            })
            .collect();
        let path: Vec<String> = points.iter().map(|(x, y, _)| format!("{x:.1},{y:.1}")).collect();
        add(format!("<polyline points=\"{}\" fill=\"none\" stroke-width=\"2\" {style}/>", path.join(" ")));
        for (x, y, what) in &points {
            add(format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#fff\" {style}><title>{what}</title></circle>"
            ));
        }
        let level = bottom + (3.2 + at as f64) * LINE;
        add(format!("<path d=\"M{left} {level:.1} h24\" stroke-width=\"2\" {style}/>"));
        add(text(left + 32.0, level + 4.0, "start", name));
    }
    add(text(left + WIDTH / 2.0, bottom + 2.0 * LINE, "middle", "isolates"));
}

fn text(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>")
}
