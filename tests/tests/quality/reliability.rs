//! Draws how often answers of each confidence are right, as an SVG.

use std::fmt::Write;

/// Number of bins of confidence.
const BINS: usize = 10;

/// Side of the square that the shares are drawn in, and the room around it for labels, in pixels.
const SIDE: f64 = 400.0;
const MARGIN: f64 = 60.0;

/// Area of a dot in square pixels per answer in its bin, and the least radius that can be seen.
const AREA_PER_ANSWER: f64 = 1.0;
const LEAST_RADIUS: f64 = 3.0;

/// A dot for each bin: its mean confidence and the share of its answers that are right. Its area is the number of answers.
/// `answers` are confidences, each with whether the answer is right.
pub fn plot(answers: &[(f64, bool)]) -> String {
    let size = SIDE + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>Share of right answers by confidence</title>\n\
         <rect width=\"{size}\" height=\"{size}\" fill=\"#fff\"/>\n\
         <rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"#999\"/>\n\
         <path d=\"M{MARGIN} {} L{} {MARGIN}\" stroke=\"#999\" stroke-dasharray=\"4\"/>\n",
        MARGIN + SIDE,
        MARGIN + SIDE
    );
    for tick in 0..=5 {
        let share = f64::from(tick) / 5.0;
        let (x, y) = at(share, share);
        line(&mut svg, x, MARGIN + SIDE + 20.0, &format!("{share:.1}"));
        line(&mut svg, MARGIN - 20.0, y + 4.0, &format!("{share:.1}"));
    }
    line(&mut svg, size / 2.0, size - 15.0, "confidence");
    line(&mut svg, size / 2.0, MARGIN - 20.0, &format!("share of {} answers that are right", answers.len()));
    for bin in 0..BINS {
        let of_bin: Vec<&(f64, bool)> = answers
            .iter()
            .filter(|(confidence, _)| ((confidence * BINS as f64) as usize).min(BINS - 1) == bin)
            .collect();
        if of_bin.is_empty() {
            continue;
        }
        let count = of_bin.len() as f64;
        let mean = of_bin.iter().map(|(confidence, _)| confidence).sum::<f64>() / count;
        let right = of_bin.iter().filter(|(_, is_right)| *is_right).count() as f64 / count;
        let (x, y) = at(mean, right);
        let radius = (count * AREA_PER_ANSWER / std::f64::consts::PI).sqrt().max(LEAST_RADIUS);
        writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#1b6ca8\" fill-opacity=\".7\">\
             <title>{mean:.2}: {right:.2} of {count} answers</title></circle>"
        )
        .expect("a string takes everything");
    }
    svg + "</svg>\n"
}

fn at(confidence: f64, right: f64) -> (f64, f64) {
    (MARGIN + SIDE * confidence, MARGIN + SIDE * (1.0 - right))
}

fn line(svg: &mut String, x: f64, y: f64, text: &str) {
    writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{text}</text>")
        .expect("a string takes everything");
}
