"""Small raw files of programs for experiments, in the form that these have: the same invented answers in all."""

import pandas as pd

TRUTH = [*"aabbccaabbcc"]  # of trials 0 to 11
ANN, BEN = [*"abbbcaaabccc"], [*"abbacacabbcc"]
WORDS = {"a": "cat", "b": "dog", "c": "fox"}
KEYS = {"a": "f", "b": "g", "c": "h"}
IMAGES = [f"im{place:02}.png" for place in range(12)]


def trials(said, shift):
    """Return a person's trials, in an order of their own: picture, true class and answer, as letters."""
    rows = list(zip(IMAGES, TRUTH, said, strict=True))
    return rows[shift:] + rows[:shift]


PEOPLE = {"ann": trials(ANN, 3), "ben": trials(BEN, 7)}


def jspsych():
    files = {}
    for person, rows in PEOPLE.items():
        about = {"trial_type": "html-keyboard-response", "subject": person}
        table = [{"stimulus": "<p>Welcome</p>", "response": " ", **about}]
        for image, truth, said in rows:
            table.append({"stimulus": "<p>+</p>", "response": "null", "task": "fixation", **about})
            answer = {"stimulus": f"img/{image}", "response": WORDS[said], "correct_response": WORDS[truth]}
            table.append(about | answer | {"trial_type": "image-button-response", "task": "response"})
        frame = pd.DataFrame(table).fillna("")
        frame.insert(0, "rt", range(len(frame)))
        files[f"jspsych/{person}.csv"] = frame.to_csv(index=False, quoting=1)
    return files


def psychopy():
    header = "imageFile,corrAns,trials.thisN,key_resp.keys,key_resp.corr,key_resp.rt,participant,session,date,\n"
    files = {}
    for person, rows in PEOPLE.items():
        lines = [header, f",,,space,,2.3,{person},1,2024-05-01_10h11,\n"]
        for place, (image, truth, said) in enumerate(rows):
            keys = f"{KEYS[truth]},{place},{KEYS[said]},{int(said == truth)}"
            lines.append(f"stim/{image},{keys},0.5,{person},1,2024-05-01_10h11,\n")
        files[f"psychopy/{person}_animals_2024-05-01_10h11.csv"] = "".join(lines)
    return files


def gorilla():
    lines = ["Event Index,Participant Private ID,Trial Number,Screen Name,Zone Type,RT,Response,Correct,image,ANSWER"]
    for number, rows in zip((9001, 9002), PEOPLE.values(), strict=True):
        lines.append(f"1,{number},BEGIN TASK,,,,,,,")
        for place, (image, truth, said) in enumerate(rows, start=1):
            lines.append(f"{place + 1},{number},{place},Screen 1,fixation,250,,,,")
            words = f"{WORDS[said]},{int(said == truth)},{image},{WORDS[truth]}"
            lines.append(f"{place + 1},{number},{place},Screen 2,response_button_text,700,{words}")
        lines.append(f"99,{number},END TASK,,,,,,,")
    return {"gorilla.csv": "\n".join(lines)}


def labjs():
    files = {}
    for person, rows in PEOPLE.items():
        table = [{"sender": "Instructions", "sender_type": "html.Screen", "meta": '{"labjs_version":"20.2.4"}'}]
        for image, truth, said in rows:
            about = {"image": image, "correctResponse": WORDS[truth], "duration": 512.3}
            table.append({"sender": "Fixation", "sender_type": "html.Screen", "ended_on": "timeout", **about})
            answer = {"response": WORDS[said], "correct": said == truth, "ended_on": "response"}
            table.append({"sender": "Picture", "sender_type": "html.Screen", **about, **answer})
            table.append({"sender": "Trial", "sender_type": "flow.Sequence", "ended_on": "completion", **about})
        files[f"labjs/{person}.csv"] = pd.DataFrame(table).astype(object).fillna("").to_csv(index=False)
    return files


def qualtrics():
    pictures = ",".join(IMAGES)
    told = ",".join(["What do you see?"] * 12)
    ids = ",".join(f'"{{""ImportId"":""QID{place}""}}"' for place in range(12))
    lines = [f"StartDate,ResponseId,{pictures}", f"Start Date,Response ID,{told}"]
    lines.append('"{""ImportId"":""startDate""}","{""ImportId"":""_recordId""}",' + ids)
    for name, said in {"R_1": ANN, "R_2": BEN}.items():
        lines.append(f"2024-05-01 10:11:12,{name},{','.join(WORDS[word] for word in said)}")
    truth = "".join(f"{image},{WORDS[word]}\n" for image, word in zip(IMAGES, TRUTH, strict=True))
    return {"qualtrics.csv": "\n".join(lines), "truth.csv": "image,truth\n" + truth}


def eprime():
    columns = ["ExperimentName", "Subject", "Session", "Trial", "Procedure[Trial]", "Picture"]
    columns += ["Stimulus.ACC", "Stimulus.CRESP", "Stimulus.RESP", "Stimulus.RT"]
    lines = ["\t".join(columns)]
    for number, rows in zip("12", PEOPLE.values(), strict=True):
        lines.append("\t".join(["animals", number, "1", "1", "PracticeProc", "im99.bmp", "1", "1", "1", "602"]))
        for place, (image, truth, said) in enumerate(rows, start=2):
            keys = [str("abc".index(word) + 1) for word in (truth, said)]
            row = ["animals", number, "1", str(place), "TrialProc", image, str(int(said == truth)), *keys, "543"]
            lines.append("\t".join(row))
    return {"eprime.txt": ("\r\n".join(lines) + "\r\n").encode("utf-16")}


def model_vs_human():
    files = {}
    for number, (person, rows) in enumerate(PEOPLE.items(), start=1):
        lines = ["subj,session,trial,rt,object_response,category,condition,imagename"]
        for place, (image, truth, said) in enumerate(rows, start=1):
            lines.append(f"subject-0{number},1,{place},0.5,{WORDS[said]},{WORDS[truth]},0,{image}")
        files[f"animals_{person}.csv"] = "\n".join(lines)
    return files


PROGRAMS = {each.__name__: each for each in (jspsych, psychopy, gorilla, labjs, qualtrics, eprime)}
